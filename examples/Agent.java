// An agent at the gateway in Java (17 or later), with nothing but the JDK. What it speaks is in docs/protocol.md.
//   PALAVER_TOKEN=NAME.… java Agent.java ws://localhost:8400/v1/agent

import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;

public class Agent {
    record Said(Object attempt, CompletableFuture<Map<String, Object>> message) {}

    static final String TOKEN = Objects.requireNonNull(System.getenv("PALAVER_TOKEN"), "set PALAVER_TOKEN");
    static final String ME = "bus/" + TOKEN.split("\\.")[0];
    static final int AT_A_TIME = 4;
    static final ExecutorService THINKERS = Executors.newFixedThreadPool(AT_A_TIME);
    static final Map<Object, Said> SAID = new ConcurrentHashMap<>(); // by key, until there is a notice

    /** What the seat says: put your own here. Whoever throws has no answer. */
    static String answer(Map<?, ?> ask) {
        String heard = "nothing";
        for (Object each : (List<?>) ask.get("view")) {
            Map<?, ?> message = (Map<?, ?>) each;
            if (message.get("speaker").equals(ask.get("seat"))) continue;
            heard = "";
            for (Object part : (List<?>) message.get("parts")) {
                Object alt = ((Map<?, ?>) part).get("alt"), text = ((Map<?, ?>) part).get("text");
                heard += " " + (text != null ? text : alt != null ? alt : "a picture");
            }
        }
        return "I am a small program in Java, and play " + ask.get("seat") + ". The last that I heard was:" + heard;
    }

    static Map<String, Object> think(Map<?, ?> ask) {
        Map<String, Object> said = new LinkedHashMap<>(Map.of("version", "1.0", "type", "turn.reply"));
        for (String name : List.of("key", "run_id", "episode_id", "turn", "seat", "agent"))
            said.put(name, ask.get(name));
        try {
            said.put("parts", List.of(Map.of("type", "text", "text", answer(ask))));
        } catch (RuntimeException error) {
            said.putAll(Map.of("type", "turn.failure", "code", "bug", "message", "" + error, "retryable", false));
        }
        return said;
    }

    /** One connection: it ends with the code of its close, or 1006. */
    static class Line implements WebSocket.Listener {
        final CompletableFuture<Integer> end = new CompletableFuture<>();
        final String start = UUID.randomUUID().toString();
        final StringBuilder text = new StringBuilder();
        volatile long heard = System.nanoTime();

        synchronized void say(WebSocket line, Map<String, Object> message) {
            try {
                line.sendText(Json.write(message), true).join();
            } catch (CompletionException | IllegalStateException error) {
                end.complete(1006);
            }
        }

        /** Say hello, and again what has had no notice. */
        void greet(WebSocket line) {
            say(line, Map.of("version", "1.0", "type", "agent.hello", "key", start, "agent", ME,
                "software", "Agent.java", "pictures", false, "concurrency", AT_A_TIME));
            for (Said said : SAID.values()) if (said.message.isDone()) say(line, said.message.join());
            line.sendPing(java.nio.ByteBuffer.allocate(0));
            if (System.nanoTime() - heard > 60e9) end.complete(1006);
        }

        void take(WebSocket line, Map<?, ?> message) {
            Object key = message.get("key");
            if ("turn.request".equals(message.get("type"))) {
                Object attempt = message.get("attempt");
                Said said = SAID.compute(key, (k, old) -> old != null && old.attempt.equals(attempt) ? old
                    : new Said(attempt, CompletableFuture.supplyAsync(() -> think(message), THINKERS)));
                said.message.thenAcceptAsync(what -> say(line, what));
            } else if ("notice".equals(message.get("type"))) {
                if ("refused".equals(message.get("code"))) System.err.println(message);
                if (!"too_fast".equals(message.get("reason"))) SAID.remove(key);
            }
        }

        @Override public CompletionStage<?> onText(WebSocket line, CharSequence data, boolean last) {
            text.append(data);
            heard = System.nanoTime();
            if (last) {
                take(line, (Map<?, ?>) new Json(text.toString()).value());
                text.setLength(0);
            }
            line.request(1);
            return null;
        }

        @Override public CompletionStage<?> onPong(WebSocket line, java.nio.ByteBuffer data) {
            heard = System.nanoTime();
            line.request(1);
            return null;
        }

        @Override public CompletionStage<?> onClose(WebSocket line, int code, String reason) {
            end.complete(code);
            return null;
        }

        @Override public void onError(WebSocket line, Throwable error) {
            System.err.println(error);
            end.complete(1006);
        }
    }

    /** JSON, as much as there is of it here; numbers stay as they were written. */
    static class Json {
        final String in;
        int at = 0;

        Json(String in) { this.in = in; }

        char next() {
            while (Character.isWhitespace(in.charAt(at))) at++;
            return in.charAt(at);
        }

        Object value() {
            char first = next();
            if (first == '"') return string();
            if (first == '{' || first == '[') return many(first == '{');
            int from = at;
            while (at < in.length() && ",]} \t\r\n".indexOf(in.charAt(at)) < 0) at++;
            String word = in.substring(from, at);
            return switch (word) {
                case "null" -> null;
                case "true", "false" -> Boolean.valueOf(word);
                default -> new BigDecimal(word);
            };
        }

        Object many(boolean named) {
            Map<String, Object> map = new LinkedHashMap<>();
            List<Object> list = new ArrayList<>();
            for (at++; next() != '}' && in.charAt(at) != ']'; ) {
                if (in.charAt(at) == ',') { at++; continue; }
                if (!named) { list.add(value()); continue; }
                String name = string();
                next();
                at++;
                map.put(name, value());
            }
            at++;
            return named ? map : list;
        }

        String string() {
            StringBuilder out = new StringBuilder();
            for (at++; in.charAt(at) != '"'; at++) {
                if (in.charAt(at) != '\\') { out.append(in.charAt(at)); continue; }
                int escape = "bfnrt".indexOf(in.charAt(++at));
                if (escape >= 0) out.append("\b\f\n\r\t".charAt(escape));
                else if (in.charAt(at) != 'u') out.append(in.charAt(at));
                else { out.append((char) Integer.parseInt(in, at + 1, at + 5, 16)); at += 4; }
            }
            at++;
            return out.toString();
        }

        static String write(Object value) {
            if (value instanceof Map<?, ?> map) {
                StringJoiner all = new StringJoiner(",", "{", "}");
                map.forEach((name, each) -> all.add(write(name) + ":" + write(each)));
                return all.toString();
            }
            if (value instanceof List<?> list) {
                StringJoiner all = new StringJoiner(",", "[", "]");
                list.forEach(each -> all.add(write(each)));
                return all.toString();
            }
            if (!(value instanceof String text)) return String.valueOf(value);
            StringBuilder out = new StringBuilder("\"");
            for (char c : text.toCharArray())
                out.append(c < ' ' || c == '"' || c == '\\' ? String.format("\\u%04x", (int) c) : c);
            return out.append('"').toString();
        }
    }

    public static void main(String[] words) throws InterruptedException {
        HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
        for (int pause = 0; ; pause = Math.min(30, Math.max(1, 2 * pause))) {
            TimeUnit.SECONDS.sleep(pause);
            Line line = new Line();
            WebSocket socket;
            try {
                socket = client.newWebSocketBuilder().header("Authorization", "Bearer " + TOKEN)
                    .buildAsync(URI.create(words[0]), line).join();
            } catch (CompletionException error) {
                System.err.println(error.getCause());
                if (!(error.getCause() instanceof WebSocketHandshakeException shake)) continue;
                if (shake.getResponse().statusCode() == 401) System.exit(1); // no such token
                continue;
            }
            pause = 0;
            while (!line.end.isDone()) {
                line.greet(socket);
                try {
                    line.end.get(20, TimeUnit.SECONDS);
                } catch (TimeoutException | ExecutionException late) {
                    continue;
                }
            }
            socket.abort();
            System.err.println("the connection is gone: " + line.end.join());
            if (line.end.join() == 4001) System.exit(1); // the token is no longer valid
        }
    }
}
