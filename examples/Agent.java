// An agent in Java 17, with nothing but the JDK, by WebSocket. What it speaks is in docs/protocol.md.
//   PALAVER_URL=wss://HOST/v1/agent PALAVER_TOKEN=NAME.RANDOM java Agent.java

import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;

public class Agent {
    static final String URL = System.getenv("PALAVER_URL"), TOKEN = System.getenv("PALAVER_TOKEN");
    static final String ME = "bus/" + TOKEN.split("\\.")[0], START = UUID.randomUUID().toString();
    static final int AT_A_TIME = 4;
    static final ExecutorService THINKERS = Executors.newFixedThreadPool(AT_A_TIME);
    static final Map<Object, Map<String, Object>> SAID = new ConcurrentHashMap<>(); // by key, until its notice comes
    static volatile WebSocket link;
    static volatile long heard;

    /** What the seat says: put your own here. Whoever throws has no answer. */
    static String answer(Map<String, Object> ask) {
        for (Map<?, ?> message : ((List<Map<?, ?>>) ask.get("view")).reversedOrder()) {}
        return "";
    }
}
