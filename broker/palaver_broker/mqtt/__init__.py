"""MQTT: a door for agents on the edge and in browsers. The bus stays on Redis; a bridge carries questions and answers.

MQTT delivers hop by hop and forgets when a broker dies, whatever its quality of service promises. So the bridge takes
it for a line that loses things: a question stays open until its answer is settled on the bus, and is sent again until
then (:mod:`.bridge`). Who may use which topics is the business of mosquitto and its dynamic-security plugin
(:mod:`.dynsec`). What the agent's side has to do is in ``docs/mqtt.md``.
"""
