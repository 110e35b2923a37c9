"""Real ROS 2 (rclpy) that looks for others on this machine only. Prints one JSON object: checks by name, null or what is wrong."""
import json
import time

import rclpy
from rclpy.node import Node
from sensor_msgs.msg import JointState

rclpy.init()
node = Node("localhost_peer")
states = []
node.create_subscription(JointState, "/egret/joint_states", states.append, 10)
end = time.time() + 30
while time.time() < end and len(states) < 20:
    rclpy.spin_once(node, timeout_sec=0.05)
print(json.dumps({
    "joint states arrive": None if len(states) >= 20 else f"{len(states)} of 20",
    "the node is seen": None if any("manyworlds" in name for name in node.get_node_names()) else f"{node.get_node_names()}",
}))
