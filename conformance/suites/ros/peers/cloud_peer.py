"""Real ROS 2 (rclpy) and large messages. Prints one JSON object: checks by name, null or what is wrong."""
import json
import os
import sys
import time

import rclpy
from rclpy.node import Node
from rclpy.qos import HistoryPolicy, QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import PointCloud2
from std_msgs.msg import String

from machine import MOST_BUSY, Watch

SECONDS, RATE, SHARE, DEPTH = (float(text) for text in sys.argv[1:5])
TALKER = int(os.environ["TALKER_PID"])
rclpy.init()
node = Node("cloud_peer")
checks = {}
clouds, chatter, wrong = [], [], []
expected = None


def take(message):
    global expected
    if expected is None:
        expected = bytes(i % 251 for i in range(len(message.data)))
    clouds.append((time.time(), message.width))
    if bytes(message.data) != expected:
        wrong.append(message.width)


# no depth: all of them
history = HistoryPolicy.KEEP_LAST if DEPTH > 0 else HistoryPolicy.KEEP_ALL
reliable = QoSProfile(depth=int(DEPTH), history=history, reliability=ReliabilityPolicy.RELIABLE)
node.create_subscription(PointCloud2, "/cloud", take, reliable)
node.create_subscription(String, "/chatter", lambda m: chatter.append(int(m.data)), QoSProfile(depth=100))
end = time.time() + 20
while time.time() < end and not clouds:
    rclpy.spin_once(node, timeout_sec=0.02)
watch = Watch(TALKER)
end = time.time() + SECONDS
start = len(clouds)
while time.time() < end:
    rclpy.spin_once(node, timeout_sec=0.02)
busy = watch.share(SECONDS)
numbers = [number for _, number in clouds]
count = len(clouds) - start
checks["some arrive"] = None if clouds else "none"
# while one of the two waits for a processor nothing can arrive
found = f"{count} of {SECONDS * RATE:.0f}, {busy:.0%} of the time without a processor"
if busy <= MOST_BUSY:
    checks["share"] = None if count >= (SHARE - busy) * SECONDS * RATE else found
if DEPTH == 0:
    gaps = [b for a, b in zip(numbers, numbers[1:]) if b != a + 1]
    checks["complete"] = None if not gaps else f"gaps before {gaps}"
checks["whole"] = None if not wrong else f"{wrong}"
checks["in order"] = None if numbers == sorted(set(numbers)) else f"{numbers}"
lost = [b for a, b in zip(chatter, chatter[1:]) if b != a + 1]
checks["small messages complete and in order"] = None if chatter and not lost else f"{len(chatter)} with gaps before {lost}"
print(found if busy <= MOST_BUSY else f"{found}: the rate cannot be judged", file=sys.stderr)
print(json.dumps(checks))
