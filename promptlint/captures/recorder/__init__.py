"""The recorder: a server on the loopback that answers an agent and writes down what it sent."""
