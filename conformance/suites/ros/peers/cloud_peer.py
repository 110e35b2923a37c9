"""Real ROS 2 (rclpy) and large messages. Prints one JSON object: checks by name, null or what is wrong."""
import json
import os
import sys
import time

import rclpy
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import PointCloud2
from std_msgs.msg import String

SECONDS, RATE, SHARE = float(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3])
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


reliable = QoSProfile(depth=5, reliability=ReliabilityPolicy.RELIABLE)
node.create_subscription(PointCloud2, "/cloud", take, reliable)
node.create_subscription(String, "/chatter", lambda m: chatter.append(int(m.data)), QoSProfile(depth=100))
end = time.time() + 20
while time.time() < end and not clouds:
    rclpy.spin_once(node, timeout_sec=0.02)
end = time.time() + SECONDS
start = len(clouds)
while time.time() < end:
    rclpy.spin_once(node, timeout_sec=0.02)
numbers = [number for _, number in clouds]
count = len(clouds) - start
checks["some arrive"] = None if clouds else "none"
checks["share"] = None if count >= SHARE * SECONDS * RATE else f"{count} of {SECONDS * RATE:.0f}"
checks["whole"] = None if not wrong else f"{wrong}"
checks["in order"] = None if numbers == sorted(set(numbers)) else f"{numbers}"
lost = [b for a, b in zip(chatter, chatter[1:]) if b != a + 1]
checks["small messages complete and in order"] = None if chatter and not lost else f"{len(chatter)} with gaps before {lost}"
if os.environ.get("VERBOSE"):
    print(count, numbers[:5], len(chatter), file=sys.stderr)
print(json.dumps(checks))
