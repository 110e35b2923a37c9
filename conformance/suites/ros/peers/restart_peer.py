"""A node of rclpy that stays while ours starts again and again. Prints one JSON object: checks by name, null or what is wrong."""
import json
import os
import time

import rclpy
from rclpy.node import Node
from std_msgs.msg import String

RUNS = int(os.environ["RUNS"])
rclpy.init()
node = Node("listener")
first = {}
wrong = []
last = {}


def take(message):
    run, number = map(int, message.data.split(":"))
    first.setdefault(run, number)
    if run in last and number != last[run] + 1:
        wrong.append((run, last[run], number))
    last[run] = number


node.create_subscription(String, "/chatter", take, 100)
vanished = 0
was_there = False
end = time.time() + 150
while time.time() < end and not (vanished >= RUNS and len(first) >= RUNS):
    rclpy.spin_once(node, timeout_sec=0.02)
    is_there = node.count_publishers("/chatter") > 0
    if was_there and not is_there:
        vanished += 1
    was_there = is_there
checks = {
    f"heard each of {RUNS} runs": None if len(first) == RUNS else f"found {len(first)}",
    "nothing missing within a run": None if not wrong else f"found {wrong[:5]}",
    f"saw it vanish {RUNS} times": None if vanished >= RUNS else f"found {vanished}",
}
print(json.dumps(checks))
