"""Under another clock, Python's own types and functions stay what they were."""

from promptlint.worlds.world import World
from tests.builders.project import Project

CHECKS = """
import asyncio, calendar, copy, datetime, email.utils, inspect, json, logging, pickle, queue
import random, sched, sqlite3, tempfile, threading, time, uuid, os, secrets, shutil, pathlib
from datetime import date, datetime, timedelta, timezone

def types():
    now = datetime.now()
    assert type(now) is datetime and type(now.date()) is date
    assert isinstance(now, date) and issubclass(datetime, date)
    assert not isinstance(date.today(), datetime)
    assert datetime.__mro__ == (datetime, date, object)
    assert datetime.__module__ == "datetime" and datetime.__name__ == "datetime"

def comparison():
    now = datetime.now()
    assert now == datetime.now() and now <= datetime.now() and hash(now) == hash(datetime.now())
    assert now < datetime.max and date.today() < date.max
    assert datetime.now(timezone.utc) - datetime.now(timezone.utc) == timedelta(0)

def agreement():
    second = int(time.time())
    assert int(datetime.now(timezone.utc).timestamp()) == second
    assert int(datetime.now().timestamp()) == second
    assert calendar.timegm(time.gmtime()) == second and int(time.mktime(time.localtime())) == second
    assert time.time_ns() // 10**9 == second
    assert time.clock_gettime(time.CLOCK_REALTIME) == time.time()
    assert datetime.today() == datetime.now()
    assert datetime.utcnow() == datetime.now(timezone.utc).replace(tzinfo=None)
    assert date.today() == datetime.now().date()
    assert time.ctime() == time.asctime() == time.strftime("%a %b %e %H:%M:%S %Y")
    assert email.utils.formatdate(usegmt=True) == time.strftime("%a, %d %b %Y %H:%M:%S GMT")
    assert time.localtime(0)[:1] == (1970,) and time.gmtime(None).tm_year == datetime.now().year

def pickling():
    for value in (datetime.now(), date.today(), datetime.now(timezone.utc)):
        assert pickle.loads(pickle.dumps(value)) == value
        assert copy.copy(value) == value and copy.deepcopy(value) == value
    for function in (time.time, time.sleep, os.listdir, os.urandom, uuid.uuid4, random.random,
                     secrets.token_hex, os.getpid, os.stat, datetime.now, datetime.strftime):
        assert pickle.loads(pickle.dumps(function)) == function, function
        assert copy.copy(function) == function

def subclasses():
    class Moment(datetime):
        pass
    class Day(date):
        pass
    class Strict(datetime):
        @classmethod
        def fromtimestamp(cls, *args):
            return cls.now()
    assert type(Moment.now()) is Moment and type(Moment.today()) is Moment
    assert type(Moment.utcnow()) is Moment and type(Day.today()) is Day
    assert type(Strict.now(timezone.utc)) is Strict

def metaclasses():
    class Meta(type):
        pass
    class Constrained(date, metaclass=Meta):
        pass
    assert type(Constrained.today()) is Constrained

def class_attributes():
    class Timer:
        now = time.time
        moment = datetime.now
        names = os.listdir
        number = random.random
        identifier = uuid.uuid4
    assert Timer().now() == time.time() and Timer().moment() == datetime.now()
    assert Timer().names(".") == os.listdir(".") and 0 <= Timer().number() < 1

def signatures():
    assert "seconds" in time.sleep.__doc__
    assert time.time.__name__ == "time" and time.time.__module__ == "time"
    assert list(inspect.signature(os.listdir).parameters) == ["path"]
    assert list(inspect.signature(secrets.token_hex).parameters) == ["nbytes"]
    assert callable(time.time) and repr(time.time) == "<built-in function time>"

def formats():
    moment = datetime(2020, 1, 2, 3, 4, 5, 6)
    assert f"{moment}" == str(moment) == "2020-01-02 03:04:05.000006"
    assert f"{moment:%Y}" == format(moment, "%Y") == "2020" and "{:%d}".format(moment) == "02"
    assert moment.isoformat(sep="T", timespec="minutes") == "2020-01-02T03:04"
    assert moment.time().isoformat() == "03:04:05.000006" and moment.date().ctime()
    assert json.dumps({"at": moment}, default=str) == '{"at": "2020-01-02 03:04:05.000006"}'
    assert datetime.fromisoformat(moment.isoformat()) == moment
    assert datetime.strptime("2020", "%Y").year == 2020

def errors():
    for call in (lambda: datetime.now("UTC"), lambda: time.sleep("x"), lambda: time.strftime(1)):
        try:
            call()
        except TypeError:
            continue
        raise AssertionError
    try:
        time.sleep(-1)
    except ValueError:
        return
    raise AssertionError

def waiting():
    started, clock = time.monotonic(), time.time()
    time.sleep(0.05)
    assert time.monotonic() - started >= 0.05
    assert abs(time.time() - clock - 0.05) < 1e-6
    try:
        queue.Queue().get(timeout=0.01)
    except queue.Empty:
        pass
    assert not threading.Event().wait(0.01)
    asyncio.run(asyncio.wait_for(asyncio.sleep(0.01), 1))
    scheduler = sched.scheduler()
    scheduler.enter(0.01, 1, lambda: None)
    scheduler.run()

def busy_loops():
    deadline = time.time() + 60
    while time.time() < deadline:
        pass
    deadline = datetime.now() + timedelta(seconds=60)
    while datetime.now() < deadline:
        pass

def logs():
    record = logging.LogRecord("n", 20, "p", 1, "m", (), None)
    assert abs(record.created - time.time()) < 1
    for _ in range(5000):
        logging.LogRecord("n", 20, "p", 1, "m", (), None)

def folders():
    with os.scandir(".") as entries:
        assert sorted(entry.name for entry in entries) == sorted(os.listdir())
    assert os.listdir(b".") == [os.fsencode(name) for name in os.listdir(".")]
    with tempfile.TemporaryDirectory() as made:
        pathlib.Path(made, "a").mkdir()
        pathlib.Path(made, "a", "b").write_text("x")
        shutil.copytree(made + "/a", made + "/c")
        assert shutil.rmtree.avoids_symlink_attacks
    assert os.stat in os.supports_follow_symlinks and os.scandir in os.supports_fd
    descriptor = os.open(".", os.O_RDONLY)
    assert os.listdir(descriptor) == os.listdir(".")
    os.close(descriptor)

def processes():
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    os.kill(os.getpid(), 0)
    assert os.getpgid(os.getpid()) == os.getpgid(0)

def build():
    failed = []
    for name, check in CHECKS.items():
        try:
            check()
        except BaseException as error:
            import traceback
            failed.append(f"{name}: {traceback.format_exc(limit=-1)}")
    return failed

CHECKS = {name: value for name, value in list(globals().items())
          if inspect.isfunction(value) and value.__module__ == __name__ and name != "build"}
assert len(CHECKS) == 15, list(CHECKS)
"""


def test_the_standard_library_behaves_as_ever(project: Project) -> None:
    project.write("work/AGENTS.md", "")
    project.write("work/notes.txt", "")
    assert project.build(CHECKS, workspace="work") == []


def test_random_numbers_run_on_and_start_afresh(project: Project) -> None:
    source = """
    import random, uuid
    STORED = str(uuid.uuid4())
    def build(): return [STORED, str(uuid.uuid4()), random.random()]
    """
    project.write("agent.py", source)
    with project.process() as process:
        first, second = (answer.value for answer in process.ask([World(), World()]))
        again = process.ask([World()])[0].value
    assert isinstance(first, list)
    assert isinstance(second, list)
    assert first[0] == second[0]
    assert first[1] != second[1]
    assert first[2] != second[2]
    assert again == first


def test_a_slow_import_is_paid_once(project: Project) -> None:
    source = """
    import time
    START = time.monotonic()
    time.sleep(1.5)
    SLEPT = time.monotonic() - START
    def build(): return [SLEPT, time.monotonic() - START, time.ctime()]
    """
    project.write("agent.py", source)
    with project.process(import_timeout=20) as process:
        first = process.ask([World()])[0].value
        second = process.ask([World(clock=60)])[0].value
    assert isinstance(first, list)
    assert isinstance(second, list)
    assert first[0] == second[0] >= 1.5
    assert (first[2][11:19], second[2][11:19]) == ("12:10:11", "12:11:11")


def test_file_ages_are_sane(project: Project) -> None:
    source = """
    import pathlib, time
    def build():
        found = [time.time() - path.stat().st_mtime for path in pathlib.Path(".").iterdir()]
        return found + [time.time() - pathlib.Path(".").stat().st_mtime]
    """
    project.write("work/notes.txt", "x")
    ages = project.build(source, workspace="work")
    assert all(-1 < age < 60 for age in ages)
