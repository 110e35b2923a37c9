"""Real ROS 2 (rclpy) in a domain with a served egret. Prints one JSON object: checks by name, null or what is wrong."""
import json
import math
import sys
import time

import rclpy
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rclpy.node import Node
from rclpy.parameter_client import AsyncParameterClient
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy, qos_profile_sensor_data
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import CameraInfo, Imu, JointState, LaserScan
from std_msgs.msg import String
from std_srvs.srv import SetBool, Trigger

HASHES = json.loads(sys.argv[1])
rclpy.init()
node = Node("peer")
heard = {}
checks = {}


def listen(kind, topic, qos):
    heard[topic] = []
    node.create_subscription(kind, topic, heard[topic].append, qos)


def check(name, is_right, found=""):
    checks[name] = None if is_right else f"found {found}"


def spin(seconds, until=lambda: False):
    end = time.time() + seconds
    while time.time() < end and not until():
        rclpy.spin_once(node, timeout_sec=0.02)


def now():
    clock = heard["/clock"][-1].clock
    return clock.sec + clock.nanosec * 1e-9


def call(kind, name, request):
    client = node.create_client(kind, name)
    if not client.wait_for_service(timeout_sec=10):
        return None
    future = client.call_async(request)
    rclpy.spin_until_future_complete(node, future, timeout_sec=10)
    return future.result()


latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
listen(JointState, "/egret/joint_states", 10)
listen(Odometry, "/egret/odom", 10)
listen(LaserScan, "/egret/scan", qos_profile_sensor_data)
listen(Imu, "/egret/imu", qos_profile_sensor_data)
listen(CameraInfo, "/egret/camera/camera_info", qos_profile_sensor_data)
listen(Clock, "/clock", 10)
listen(String, "/egret/robot_description", latched)
drive = node.create_publisher(Twist, "/egret/cmd_vel", 10)
spin(60, lambda: all(heard.values()))
check("hears every topic", all(heard.values()), [topic for topic, all_of in heard.items() if not all_of])
if not heard["/clock"]:
    print(json.dumps(checks))
    sys.exit()

spin(1)
check("node list", ("manyworlds", "/egret") in node.get_node_names_and_namespaces(), node.get_node_names_and_namespaces())
for topic, (kind, is_reliable, is_latched) in {
    "/egret/joint_states": ("sensor_msgs/msg/JointState", True, False),
    "/egret/odom": ("nav_msgs/msg/Odometry", True, False),
    "/egret/scan": ("sensor_msgs/msg/LaserScan", False, False),
    "/egret/imu": ("sensor_msgs/msg/Imu", False, False),
    "/egret/tf_static": ("tf2_msgs/msg/TFMessage", True, True),
    "/egret/robot_description": ("std_msgs/msg/String", True, True),
    "/clock": ("rosgraph_msgs/msg/Clock", True, False),
}.items():
    infos = node.get_publishers_info_by_topic(topic)
    found = [
        (i.node_name, i.topic_type, str(i.topic_type_hash), i.qos_profile.reliability, i.qos_profile.durability) for i in infos
    ]
    wanted = [
        (
            "manyworlds",
            kind,
            HASHES[kind],
            ReliabilityPolicy.RELIABLE if is_reliable else ReliabilityPolicy.BEST_EFFORT,
            DurabilityPolicy.TRANSIENT_LOCAL if is_latched else DurabilityPolicy.VOLATILE,
        )
    ]
    check(f"name, type, hash and QoS of {topic}", found == wanted, found)
check("one latched sample", len(heard["/egret/robot_description"]) == 1, len(heard["/egret/robot_description"]))

start = now()
twist = Twist()
twist.linear.x = 0.3
twist.angular.z = 0.4
last = 0.0
while now() - start < 5:
    rclpy.spin_once(node, timeout_sec=0.02)
    if time.time() - last > 0.05:
        drive.publish(twist)
        last = time.time()
orientation = heard["/egret/odom"][-1].pose.pose.orientation
yaw = 2 * math.atan2(orientation.z, orientation.w)
check("Twist for 5 s turns it by 2 rad", abs(yaw - 2) < 0.1, yaw)
end = now()
spin(60, lambda: now() - end > 1.5)
speed = heard["/egret/odom"][-1].twist.twist.linear.x
check("it stops when commands end", abs(speed) < 0.005, speed)
check("Imu reads gravity", abs(heard["/egret/imu"][-1].linear_acceleration.z - 9.81) < 0.05)

call(SetBool, "/egret/manyworlds/pause", SetBool.Request(data=True))
spin(0.5)
paused = now()
spin(1)
check("pause freezes /clock", now() == paused, now() - paused)
for _ in range(10):
    call(Trigger, "/egret/manyworlds/step", Trigger.Request())
spin(0.5)
check("ten steps are 0.02 s", abs(now() - paused - 0.02) < 1e-9, now() - paused)
call(Trigger, "/egret/manyworlds/reset", Trigger.Request())
spin(0.5)
check("reset takes time back", now() == 0, now())

parameters = AsyncParameterClient(node, "/egret/manyworlds")
parameters.wait_for_services(10)
future = parameters.get_parameters(["use_sim_time", "rate"])
rclpy.spin_until_future_complete(node, future, timeout_sec=10)
values = future.result().values if future.result() else []
check("parameters", [v.type for v in values] == [1, 3] and values[0].bool_value, str(values))
print(json.dumps(checks))
