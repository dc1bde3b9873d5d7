package dev.weblocks.harness.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.testing.TestSize;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Runs each option of each command with bad values. A new option fails here until it has an entry
 * in {@link #values()}.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BadInputTest extends CliBed {

  /** A valid value of an option, and bad values beside those that are bad for all options. */
  private record Values(String good, List<String> bad) {}

  private static final List<String> NO_COUNTS =
      List.of("x", "0", "-1", "1.5", "2147483648", "9".repeat(40), "1e3", "5s", " 5", "0x10", "+");

  private static final List<String> NO_LONGS =
      List.of("x", "1.5", "9223372036854775808", "9".repeat(40), "1e3", "0x10", " 1");

  private static final List<String> NO_DURATIONS =
      List.of(
          "x",
          "5",
          "0s",
          "0.0ms",
          "-5s",
          "5d",
          "5 s",
          "s",
          "1.s",
          "1e3s",
          "999999999h",
          "9".repeat(40) + "s");

  private static final String LONG = "y".repeat(100_000);

  private static final String PEERS = "n1=127.0.0.1:7800,n2=127.0.0.1:7801,n3=127.0.0.1:7802";

  private static final List<String> TLS = List.of("--tls-key", "--tls-cert", "--tls-ca");

  private static final List<String> OF_CLUSTER =
      List.of(
          "--cluster",
          "--namespace",
          "--cluster-id",
          "--insecure",
          "--tls-key",
          "--tls-cert",
          "--tls-ca",
          "--secret");

  /** A well-formed replay string, of no particular script. */
  private static final String GOOD_REPLAY = "w1-AAEAAAABAE8rPZo";

  /** A report of the only chunk of a run without a test. */
  private static final String CHUNK =
      """
      {"event":"run_start","time":1,"run_info":{"this_chunk":"1","total_chunks":"1",
        "selected":"0 tests, CRC-32 00000000"},"tests":0}
      {"event":"run_end","time":2,"interrupted":false,"ran":0,"not_run":0,"unexpected":0}
      """;

  @BeforeEach
  void writeFiles() throws IOException {
    wpt.file("area/a.any.js", "");
    script =
        page -> {
          throw new AssertionError("a test ran");
        };
    Files.createDirectory(dir.resolve("directory"));
    write("good.js", "throw new Error('this ran')");
    write("good.json", report("/area/a.any.html"));
    write("other.json", report("/area/b.any.html"));
    write("part.jsonl", CHUNK);
    write("empty.json", "");
    write("array.json", "[1]");
    write("number.json", "5");
    write("truncated.json", "{\n\"results\": [{\"test\": \"/a\", \"sta");
    write("binary.json", "PK\u0003\u0004\0\0");
    write("deep.json", "{\"results\": [{\"test\": " + "[".repeat(5000));
    write("two.json", "{\"results\": []} {}");
    write("none.json", "{\"results\": []}");
    write("results.json", "{\"results\": {}}");
    write("status.json", "{\"results\": [{\"test\": \"/a\", \"status\": 5}]}");
    Files.write(dir.resolve("latin.json"), new byte[] {'{', '"', (byte) 0xe9, '"', '}'});
    Files.write(dir.resolve("latin.js"), new byte[] {'"', (byte) 0xe9, '"'});
    Files.write(dir.resolve("half.gz"), Base64.getDecoder().decode("H4sIAAAA"));
  }

  private static String report(String test) {
    return "{\"results\": [{\"test\": \"" + test + "\", \"status\": \"OK\", \"subtests\": []}]}";
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(dir.resolve(name), text);
  }

  private String at(String name) {
    return dir.resolve(name).toString();
  }

  private List<String> badReports() {
    return Stream.of(
            "missing.json",
            "directory",
            "empty.json",
            "array.json",
            "number.json",
            "truncated.json",
            "binary.json",
            "deep.json",
            "two.json",
            "none.json",
            "results.json",
            "status.json",
            "latin.json",
            "half.gz",
            "good.js",
            "good.json/below")
        .map(this::at)
        .toList();
  }

  private List<String> badOutputs(String... inputs) {
    List<String> bad = new ArrayList<>();
    bad.add("/");
    bad.add("/proc/none");
    Stream.of(
            "directory", "missing/x", "good.js/x", "z".repeat(300), "wpt/area/a.any.js", "wpt/new")
        .map(this::at)
        .forEach(bad::add);
    for (String input : inputs) {
      bad.add(at(input));
    }
    return bad;
  }

  /** Returns an entry for each option that takes a value. */
  private Map<String, Values> values() {
    List<String> inputs = List.of("missing.js", "directory", "latin.js", "good.js/below");
    Values output = new Values(at("out"), badOutputs());
    Map<String, Values> values = new LinkedHashMap<>();
    values.put("wpt --wpt", new Values(at("wpt"), at(List.of("missing", "directory", "good.js"))));
    values.put(
        "wpt --tests", new Values(at("wpt"), at(List.of("missing", "directory", "good.js"))));
    values.put("wpt --exclude", new Values("area/a.any.worker.html", List.of("zzz", "{a", "[a")));
    values.put("wpt --filter", new Values("a", List.of("zzz", "(a", "a)(", "[a", "*", "a\n(b")));
    values.put("wpt --variant", new Values("window", List.of("zzz", "?9", "Window")));
    values.put("wpt --jobs", new Values("1", NO_COUNTS));
    List<String> noChunks = Stream.concat(NO_COUNTS.stream(), Stream.of("10000")).toList();
    values.put("wpt --total-chunks", new Values("4", noChunks));
    values.put(
        "wpt --this-chunk",
        new Values("4", Stream.concat(noChunks.stream(), Stream.of("5")).toList()));
    Values shards =
        new Values(
            "2/4",
            List.of("x", "2", "0/4", "5/4", "2/0", "-1/4", "2/", "/4", "1/10000", "2 /4", "2/4/4"));
    values.put("explore --shard", shards);
    values.put("differ --shard", shards);
    values.put(
        "wpt --timeout-multiplier",
        new Values(
            "1",
            List.of(
                "x",
                "0",
                "-1",
                "0.0",
                "1e300",
                "1e9",
                "10001",
                "NaN",
                "Infinity",
                "2d",
                "2s",
                "0x1p3",
                "1,5",
                "0.0000001",
                "9".repeat(40))));
    values.put("wpt --repeat", new Values("2", NO_COUNTS));
    values.put("wpt --seed", new Values("5", NO_LONGS));
    values.put("wpt --preload", new Values(at("good.js"), at(inputs)));
    for (String option : List.of("--wptreport", "--junit", "--tap", "--jsonl", "--html")) {
      values.put("wpt " + option, output);
    }
    values.put("wpt --compare-html", new Values(at("out"), badOutputs("good.json")));
    values.put("wpt --compare", new Values(at("good.json"), badReports()));
    values.put(
        "compare --html",
        new Values(
            at("out"),
            badOutputs("good.json", "other.json").stream()
                .filter(file -> !file.startsWith(at("wpt")))
                .toList()));
    values.put(
        "merge --output",
        new Values(
            at("out.xml"),
            Stream.concat(
                    badOutputs("part.jsonl").stream().filter(file -> !file.startsWith(at("wpt"))),
                    Stream.of(at("out"), at("out.txt")))
                .toList()));
    values.put("run --eval", new Values("1", List.of(" ", "\n")));
    Values roots = new Values(at("."), at(List.of("missing", "directory", "good.js")));
    List<String> noMaps =
        List.of(
            "missing.json",
            "directory",
            "empty.json",
            "array.json",
            "number.json",
            "truncated.json",
            "binary.json",
            "deep.json",
            "two.json",
            "latin.json",
            "good.js",
            "good.json/below");
    for (String command : List.of("run", "explore", "variants compare")) {
      values.put(command + " --root", roots);
      values.put(command + " --import-map", new Values(at("none.json"), at(noMaps)));
    }
    values.put(
        "run --agents",
        new Values("2", Stream.concat(NO_COUNTS.stream(), Stream.of("10001")).toList()));
    values.put(
        "run --origin",
        new Values(
            "https://a.test",
            List.of(
                "x",
                "a.test",
                "ftp://a.test",
                "file:///",
                "https://",
                "https://a.test:0",
                "https://a.test:65536",
                "https://a.test/path",
                "https://u@a.test",
                "https://a b",
                "https://a.test?q",
                "https://a.test#f",
                "https://[",
                "https://1.2.3",
                "null")));
    values.put(
        "run --allow-net",
        new Values(
            "a.test",
            List.of("https://a.test", "a.test/x", "a b", "a.test:65536", "a.test:x", "*", ":80")));
    values.put("run --timeout", new Values("1s", NO_DURATIONS));
    values.put(
        "stress soak --for",
        new Values("1s", Stream.concat(NO_DURATIONS.stream(), Stream.of("999ms")).toList()));
    values.put("stress soak --windows", new Values("3", NO_COUNTS));
    values.put("stress soak --threads", new Values("3", NO_COUNTS));
    values.put("stress soak --seed", new Values("5", NO_LONGS));
    values.put("run --turn-limit", new Values("1s", NO_DURATIONS));
    values.put("run --seed", new Values("5", NO_LONGS));
    values.put(
        "run --start-time",
        new Values(
            "2025-01-01T00:00:00Z",
            List.of(
                "x",
                "5",
                "2025-01-01",
                "00:00",
                "2025-02-30T00:00:00Z",
                "2025-01-01 00:00:00Z",
                "+300000-01-01T00:00:00Z",
                "-300000-01-01T00:00:00Z")));
    values.put(
        "run --check-deterministic",
        new Values("2", Stream.concat(NO_COUNTS.stream(), Stream.of("1", "1000001")).toList()));
    values.put("run --watchdog", new Values("1s", NO_DURATIONS));
    values.put(
        "run --hidden",
        new Values(
            "..1ms",
            List.of(
                "x", "1s", "..", "2s..1s", "1s..1s", "0s..1s", "1s..2s..3s", "1s...2s", "x..")));
    List<String> noVariants =
        List.of("zzz", "Node", "reentrant,node", "early draft", "working draft", "+");
    values.put("run --variant", new Values("node", noVariants));
    values.put("wpt --spec-variant", new Values("node", noVariants));
    values.put(
        "variants compare --variants",
        new Values(
            "none,node",
            List.of(
                "zzz",
                "none,zzz",
                "none,none",
                "node,none,node",
                "none",
                ",",
                "+",
                "early draft",
                "none,settle-at-once+settle-before-grant")));
    values.put("variants compare --seed", new Values("5", NO_LONGS));
    values.put(
        "variants compare --steps",
        new Values("5", Stream.concat(NO_COUNTS.stream(), Stream.of("1000001")).toList()));
    values.put(
        "variants compare --context",
        new Values(
            "5",
            Stream.concat(
                    NO_COUNTS.stream().filter(number -> !number.equals("0")), Stream.of("1001"))
                .toList()));
    values.put("variants compare --eval", new Values("1", List.of(" ", "\n")));
    values.put(
        "variants compare --agents",
        new Values("2", Stream.concat(NO_COUNTS.stream(), Stream.of("10001")).toList()));
    values.put("run --seed", new Values("5", NO_LONGS));
    values.put("wpt --trace", output);
    for (String command : List.of("wpt", "run", "explore")) {
      values.put(
          command + " --trace-format",
          new Values("html", List.of("x", "HTML", "json", "jsonl,html", " html", ".html")));
    }
    values.put(
        "run --trace",
        new Values(
            at("out"),
            badOutputs("good.js").stream().filter(file -> !file.startsWith(at("wpt"))).toList()));
    values.put(
        "run --inspect", new Values("0", List.of("x", "-1", "65536", "1.5", "9".repeat(40))));
    List<String> noReplays =
        List.of(
            "x",
            "w2-AAAA",
            "w1-",
            "w1-AAAA",
            "w1-*",
            "W1-AAAA",
            " w1-AAAA",
            "w1-" + "9".repeat(40));
    values.put("run --replay", new Values(GOOD_REPLAY, noReplays));
    values.put("explore --eval", values.get("run --eval"));
    values.put("explore --agents", values.get("run --agents"));
    values.put(
        "explore --wpt", new Values("area/a.any.html", List.of("zzz", "..", "../wpt/area", "{a")));
    values.put("explore --strategy", new Values("pct", List.of("zzz", "Random", "pct,dfs", "ran")));
    values.put("explore --seed", new Values("5", NO_LONGS));
    values.put(
        "explore --depth",
        new Values("2", Stream.concat(NO_COUNTS.stream(), Stream.of("101")).toList()));
    values.put(
        "explore --preemptions",
        new Values(
            "0",
            Stream.concat(NO_COUNTS.stream().filter(bad -> !bad.equals("0")), Stream.of("1001"))
                .toList()));
    values.put(
        "explore --jobs",
        new Values("1", Stream.concat(NO_COUNTS.stream(), Stream.of("1001")).toList()));
    values.put("explore --schedules", new Values("5", NO_COUNTS));
    values.put("explore --time", values.get("run --timeout"));
    values.put(
        "explore --max-steps",
        new Values("5", Stream.concat(NO_COUNTS.stream(), Stream.of("1000001")).toList()));
    values.put("explore --replay", new Values(GOOD_REPLAY, noReplays));
    values.put("explore --trace", values.get("run --trace"));
    values.put("explore --variant", values.get("run --variant"));
    values.put("explore --json", values.get("run --trace"));
    for (String option : List.of("--agents", "--names", "--alive", "--threads")) {
      values.put("stress kill " + option, new Values("5", NO_COUNTS));
    }
    values.put("bench --engine", new Values("node", List.of("zzz", "Node", "node,deno", ",")));
    values.put(
        "bench --rounds",
        new Values("1", Stream.concat(NO_COUNTS.stream(), Stream.of("1001")).toList()));
    List<String> noResults =
        badOutputs().stream().filter(file -> !file.startsWith(at("wpt"))).toList();
    values.put("bench --json", new Values(at("out"), noResults));
    values.put(
        "bench --chart",
        new Values(
            at("out.svg"),
            Stream.concat(
                    noResults.stream(),
                    Stream.of("out", "out.png", "missing/out.svg", "good.js/out.html")
                        .map(this::at))
                .toList()));
    values.put(
        "variants measure --wpt",
        new Values(at("wpt"), at(List.of("missing", "directory", "good.js"))));
    values.put(
        "variants measure --write",
        new Values(at("good.js"), at(List.of("missing", "directory", "missing/x.md"))));
    values.put("differ --programs", new Values("5", NO_COUNTS));
    values.put("differ --seed", new Values("5", NO_LONGS));
    values.put("differ --replay", new Values("5", NO_LONGS));
    values.put("differ --seeds", new Values("5", NO_COUNTS));
    values.put("differ --engine", new Values("weblocks", List.of("zzz", "Weblocks", "a,b", ",")));
    values.put("differ --timeout", new Values("1s", NO_DURATIONS));
    values.put("differ --json", new Values(at("out"), noResults));
    values.put("differ --save", new Values(at("saved"), at(List.of("good.js", "good.js/x"))));
    values.put("stress kill --seed", new Values("5", NO_LONGS));
    values.put("stress frames --frames", new Values("5", NO_COUNTS));
    values.put("stress frames --navigations", new Values("5", NO_COUNTS));
    addCluster(values);
    return values;
  }

  private void addCluster(Map<String, Values> values) {
    List<String> noFiles = at(List.of("missing", "directory", "good.js/below"));
    Values peers =
        new Values(
            PEERS,
            List.of(
                "x",
                "n1",
                "n1=",
                "n1=:7800",
                "n1=127.0.0.1",
                "n1=127.0.0.1:0",
                "n1=127.0.0.1:65536",
                "n1=127.0.0.1:x",
                "n 1=127.0.0.1:7800",
                "=127.0.0.1:7800",
                "127.0.0.1:7800",
                "n1=a b:7800",
                "n1=127.0.0.1:7800,",
                "n1=127.0.0.1:7800,n1=127.0.0.1:7801"));
    Values label = new Values("shop", List.of(" ", "\n", "a\nb"));
    values.put("run --cluster", peers);
    values.put("node --peers", peers);
    values.put("cluster status --peers", peers);
    values.put("cluster replace --peers", peers);
    values.put("cluster replace --remove", new Values("n3", List.of("zzz", "N3", "n1,n2", " ")));
    values.put(
        "cluster replace --add",
        new Values("n4=127.0.0.1:4", List.of("n4", "n4=127.0.0.1", "n1=127.0.0.1:9", PEERS)));
    values.put("run --namespace", label);
    values.put("cluster status --namespace", label);
    for (String command : List.of("run", "node", "cluster status", "cluster replace")) {
      values.put(command + " --cluster-id", label);
      for (String option : TLS) {
        values.put(command + " " + option, new Values(at("good.js"), noFiles));
      }
      values.put(command + " --secret", new Values(at("good.js"), noFiles));
    }
    values.put("node --id", new Values("n1", List.of("zzz", "n4", "N1", "n1,n2")));
    values.put("node --listen", new Values("127.0.0.1", List.of("a b", "a/b", "[::1", "a:1")));
    values.put(
        "node --data",
        new Values(at("data"), at(List.of("directory/..", "good.js", "good.js/below"))));
    values.put("wpt --cluster", new Values("trial", List.of("zzz", "Trial", "3", PEERS)));
    List<String> noMembers = Stream.concat(NO_COUNTS.stream(), Stream.of("10")).toList();
    values.put("cluster trial --nodes", new Values("3", noMembers));
    values.put("explore --cluster", new Values("3", noMembers));
    values.put("stress cluster --rounds", new Values("5", NO_COUNTS));
    values.put("stress cluster --clients", new Values("5", NO_COUNTS));
    values.put("stress cluster --names", new Values("5", NO_COUNTS));
    values.put("stress cluster --seed", new Values("5", NO_LONGS));
    values.put("stress cluster --upgrade-to", new Values("/bin/sh", noFiles));
    values.put(
        "stress cluster --fault",
        new Values("kill-leader", List.of("zzz", "Kill-Leader", "kill-leader,kill-all")));
    values.put(
        "stress cluster --lease",
        new Values("5s", Stream.concat(NO_DURATIONS.stream(), Stream.of("1999ms")).toList()));
  }

  private List<String> at(List<String> names) {
    return names.stream().map(this::at).toList();
  }

  /** Returns the words of a valid command line for an option. */
  private List<String> base(String command, String option) {
    List<String> words = new ArrayList<>(List.of(command.split(" ", -1)));
    switch (command) {
      case "wpt" -> {
        words.add("area/a.any.html");
        if (option.equals("--compare-html")) {
          words.addAll(List.of("--compare", at("good.json")));
        } else if (option.equals("--seed")) {
          words.add("--shuffle");
        } else if (option.equals("--this-chunk")) {
          words.addAll(List.of("--total-chunks", "4"));
        } else if (option.equals("--total-chunks")) {
          words.addAll(List.of("--this-chunk", "1"));
        }
      }
      case "compare" -> words.addAll(List.of(at("good.json"), at("other.json")));
      case "merge" -> words.add(at("part.jsonl"));
      case "bench" -> words.add("sequential");
      case "differ" -> {
        if (option.equals("--seeds")) {
          words.add("--deterministic");
        }
      }
      case "variants compare" -> {
        words.add(at("good.js"));
        if (List.of("--root", "--import-map").contains(option)) { // read after the variants
          words.addAll(List.of("--variants", "none,node"));
        }
      }
      case "run" -> {
        words.add(at("good.js"));
        if (List.of("--seed", "--start-time", "--check-deterministic").contains(option)) {
          words.add("--deterministic");
        }
        if (!option.equals("--cluster") && OF_CLUSTER.contains(option)) {
          words.addAll(List.of("--cluster", PEERS));
        }
      }
      case "node" ->
          Map.of("--id", "n1", "--peers", PEERS, "--data", at("data"))
              .forEach((name, value) -> {
                if (!name.equals(option)) {
                  words.addAll(List.of(name, value));
                }
              });
      case "cluster replace" ->
          Map.of("--peers", PEERS, "--remove", "n3", "--add", "n4=127.0.0.1:4")
              .forEach((name, value) -> {
                if (!name.equals(option)) {
                  words.addAll(List.of(name, value));
                }
              });
      case "cluster status" -> {
        if (!option.equals("--peers")) {
          words.addAll(List.of("--peers", PEERS));
        }
      }
      case "explore" -> {
        if (!option.equals("--wpt")) {
          words.add(at("good.js"));
        }
        if (option.equals("--depth")) {
          words.addAll(List.of("--strategy", "pct"));
        } else if (option.equals("--preemptions")) {
          words.addAll(List.of("--strategy", "dfs"));
        }
      }
      default -> {}
    }
    if (TLS.contains(option)) {
      for (String other : TLS) {
        if (!other.equals(option)) {
          words.addAll(List.of(other, at("good.js")));
        }
      }
    }
    return words;
  }

  private Map<String, CommandLine> commands() {
    Map<String, CommandLine> all = new TreeMap<>();
    collect(Main.command(cli(), RunEnvironment.ofProcess()), "", all);
    return all;
  }

  private static void collect(CommandLine command, String name, Map<String, CommandLine> all) {
    all.put(name, command);
    command
        .getSubcommands()
        .forEach((next, line) -> collect(line, (name + " " + next).strip(), all));
  }

  private Map<Path, String> files() throws IOException {
    Map<Path, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(dir)) {
      for (Path file : all.toList()) {
        files.put(
            file,
            Files.isDirectory(file)
                ? "directory"
                : Files.readString(file, StandardCharsets.ISO_8859_1));
      }
    }
    return files;
  }

  /** Asserts status 2, one line about this with a hint, and that no file has changed. */
  private void assertRefused(String about, List<String> args) throws IOException {
    Map<Path, String> before = files();
    forget();
    String shown = args.toString().replace(LONG, "LONG");
    assertEquals(2, run(args.toArray(String[]::new)), shown);
    String said =
        err().replace("weblocks: no hashes in wpt-subset: the tests are not verified\n", "");
    String told = shown + " gives " + said;
    assertEquals(1, said.lines().count(), told);
    assertTrue(said.startsWith("weblocks: "), told);
    assertFalse(said.contains("internal error"), told);
    assertFalse(said.contains("Exception"), told);
    assertFalse(said.indexOf('\0') >= 0, told);
    assertTrue(said.length() < 2000, told);
    assertTrue(said.contains(about), told);
    assertTrue(
        said.strip().endsWith(" --help)")
            || said.matches(
                "(?s).*\\b(name|needed|leave|none|use|list|missing|no |not |nothing )\\b.*"),
        told);
    assertEquals("", out(), told);
    assertEquals(before, files(), told);
  }

  private static List<String> with(List<String> words, String... more) {
    List<String> all = new ArrayList<>(words);
    all.addAll(List.of(more));
    return all;
  }

  @Test
  void each_option_refuses_each_bad_value_in_one_line() throws IOException {
    Map<String, Values> values = values();
    Set<String> seen = new HashSet<>();
    for (Map.Entry<String, CommandLine> command : commands().entrySet()) {
      for (OptionSpec option : command.getValue().getCommandSpec().options()) {
        String name = option.longestName();
        if (option.arity().max() == 0) {
          continue;
        }
        String key = command.getKey() + " " + name;
        Values of = values.get(key);
        assertTrue(of != null, key + " is tried with no bad value: say here what it refuses");
        seen.add(key);
        List<String> base = base(command.getKey(), name);
        if (option.arity().min() > 0) {
          assertRefused(name, with(base, name));
        }
        assertRefused(name, with(base, name + "="));
        int step = TestSize.of(6, 1); // varies the values between options
        if (!key.endsWith(" --eval") && seen.size() % step == 0) { // any text is valid code
          assertRefused("aU+0000b", with(base, name + "=a\0b"));
          assertRefused("yyyyy…yyyyy", with(base, name + "=" + LONG));
        }
        if (!option.isMultiValue()) {
          assertRefused(
              name + " is given twice", with(base, name + "=" + of.good(), name + "=" + of.good()));
        }
        for (int i = seen.size() % step; i < of.bad().size(); i += step) {
          String bad = of.bad().get(i);
          String visible = bad.replace("\n", "\\n");
          assertRefused(
              visible.length() > 200 ? visible.substring(0, 50) : visible,
              with(base, name + "=" + bad));
        }
      }
    }
    assertEquals(values.keySet(), seen, "lines here without an option");
  }

  @Test
  void no_command_takes_arguments_from_a_file() throws IOException {
    write("x.js", "--help");
    commands().forEach((name, command) -> assertFalse(command.isExpandAtFiles(), name));
    // the commands that are made without the others
    for (String command : List.of("run", "wpt", "compare")) {
      assertRefused("x.js", List.of(command, "@" + dir.resolve("x.js")));
    }
  }

  @Test
  void each_flag_refuses_a_value_and_a_repetition() throws IOException {
    for (Map.Entry<String, CommandLine> command : commands().entrySet()) {
      for (OptionSpec option : command.getValue().getCommandSpec().options()) {
        String name = option.longestName();
        if (option.arity().max() > 0 || option.usageHelp() || option.versionHelp()) {
          continue;
        }
        List<String> base = base(command.getKey(), name);
        assertRefused(name + " takes no value, but has 'zzz'", with(base, name + "=zzz"));
        assertRefused(name + " is given twice", with(base, name, name));
      }
    }
  }

  @Test
  void each_command_refuses_unknown_options_and_suggests_similar_ones() throws IOException {
    for (Map.Entry<String, CommandLine> command : commands().entrySet()) {
      List<String> base = command.getKey().isEmpty() ? List.of() : base(command.getKey(), "--none");
      assertRefused("unknown option --zzz (weblocks", with(base, "--zzz"));
      assertRefused("unknown option --helpp; did you mean --help? (", with(base, "--helpp"));
      assertRefused("unknown option -Z (", with(base, "-Z"));
      assertRefused("unknown option --zzz (", with(base, "--zzz=" + LONG));
      assertRefused("unknown option --aU+0000b", with(base, "--a\0b"));
    }
    assertRefused("did you mean --timeout-multiplier?", List.of("wpt", "--timeout-mult", "3"));
    assertRefused("did you mean --wptreport?", List.of("wpt", "--wpt-report", at("out")));
    assertRefused("did you mean --junit?", List.of("wpt", "--jnuit=" + at("out")));
  }

  @Test
  void unknown_commands_are_refused_with_a_suggestion() throws IOException {
    assertRefused("no command is given (weblocks --help)", List.of());
    assertRefused("unknown command 'wtp'; did you mean wpt? (weblocks --help)", List.of("wtp"));
    assertRefused("unknown command ''; commands are run, wpt, ", List.of(""));
    assertRefused("unknown command 'zzz'; commands are run, wpt, ", List.of("zzz"));
    assertRefused("unknown command 'aU+0000b'", List.of("a\0b"));
    assertRefused("unknown command 'yyyy", List.of(LONG));
    assertRefused("no command is given (weblocks stress --help)", List.of("stress"));
    assertRefused("'kil'; did you mean kill?", List.of("stress", "kil"));
    assertRefused("'frame'; did you mean frames?", List.of("help", "stress", "frame"));
    assertRefused("'zzz'; commands are run, wpt, ", List.of("help", "zzz"));
    assertRefused("'x' of weblocks wpt", List.of("help", "wpt", "x"));
  }

  @Test
  void invalid_arguments_are_refused() throws IOException {
    for (List<String> command :
        List.of(List.of("completion"), List.of("stress", "kill"), List.of("stress", "frames"))) {
      assertRefused("unexpected argument 'zzz'", with(command, "zzz"));
      assertRefused("unexpected argument ''", with(command, ""));
    }
    for (String bad :
        List.of("zzz", "..", "/..", "../wpt/area", "area/*.zzz", "{a", "[a", "a\nb")) {
      assertRefused(bad.replace("\n", "\\n"), List.of("wpt", bad));
    }
    assertRefused("a TEST-PATH is empty", List.of("wpt", ""));
    assertRefused("'aU+0000b' is not a TEST-PATH", List.of("wpt", "a\0b"));
    assertRefused("yyyy…yyyy", List.of("wpt", LONG));
    for (String bad : badReports()) {
      assertRefused(bad, List.of("compare", at("good.json"), bad));
      assertRefused(bad, List.of("compare", bad, at("good.json")));
    }
    for (String bad : badReports()) {
      assertRefused(bad, List.of("merge", at("part.jsonl"), bad));
      assertRefused(bad, List.of("merge", "--output", at("out"), bad));
    }
    assertRefused(at("good.json"), List.of("merge", at("good.json")));
    assertRefused("REPORT ''", List.of("merge", at("part.jsonl"), ""));
    assertRefused("no report is given", List.of("merge"));
    assertRefused("FILE ''", List.of("compare", at("good.json"), ""));
    assertRefused("FILE 'aU+0000b'", List.of("compare", at("good.json"), "a\0b"));
    assertRefused("yyyy…yyyy", List.of("compare", at("good.json"), LONG));
    assertRefused("is given twice", List.of("compare", at("good.json"), at("good.json")));
    assertRefused("name another report to compare it with", List.of("compare", at("good.json")));
    assertRefused("no report is given", List.of("compare"));
    for (String bad : List.of("missing.js", "directory", "latin.js", "good.js/x")) {
      assertRefused(bad, List.of("run", at("good.js"), at(bad)));
    }
    assertRefused("unknown variant 'zzz'", List.of("variants", "zzz"));
    assertRefused("did you mean reentrant?", List.of("variants", "reentrand"));
    assertRefused("a NAME is needed", List.of("variants", ""));
    assertRefused("'none' is the Working Draft", List.of("variants", "none"));
    assertRefused("'node'", List.of("variants", "reentrant", "node"));
    assertRefused("aU+0000b", List.of("variants", "a\0b"));
    assertRefused("yyyy…yyyy", List.of("variants", LONG));
    assertRefused("no variant is given", List.of("variants", "compare", at("good.js")));
    assertRefused(
        "missing.js", List.of("variants", "compare", "--variants=node", at("missing.js")));
    assertRefused("a SCRIPT is empty", List.of("run", at("good.js"), ""));
    for (String bad : List.of("missing.js", "directory", "latin.js", "good.js/x")) {
      assertRefused(bad, List.of("explore", at("good.js"), at(bad)));
    }
    assertRefused("a SCRIPT is empty", List.of("explore", at("good.js"), ""));
    assertRefused("aU+0000b", List.of("run", "a\0b"));
    assertRefused("yyyy…yyyy", List.of("run", LONG));
  }

  @Test
  void invalid_reports_are_refused_with_line_and_column() throws IOException {
    assertRefused(
        at("truncated.json") + ":2:32: ", List.of("wpt", "--compare", at("truncated.json")));
    assertRefused(at("array.json") + ":1:1: ", List.of("wpt", "--compare", at("array.json")));
    assertRefused(at("empty.json") + ":1:1: ", List.of("wpt", "--compare", at("empty.json")));
    assertRefused(at("status.json") + ":1:14: ", List.of("wpt", "--compare", at("status.json")));
    assertRefused(
        at("latin.json") + " is not UTF-8 text", List.of("wpt", "--compare", at("latin.json")));
    assertRefused(
        at("none.json") + " has no test results", List.of("wpt", "--compare", at("none.json")));
  }

  @Test
  void invalid_expressions_are_refused_with_their_position() throws IOException {
    assertRefused("Unclosed group at character 4", List.of("wpt", "--filter", "a(bc"));
    assertRefused("Dangling meta character '*' at character 1", List.of("wpt", "--filter", "*"));
  }

  @Test
  void invalid_combinations_of_options_are_refused() throws IOException {
    String out = at("out");
    String report = at("good.json");
    for (List<String> args :
        List.of(
            List.of("wpt", "--serial", "--jobs", "4"),
            List.of("wpt", "--this-chunk", "1"),
            List.of("wpt", "--total-chunks", "4"),
            List.of("wpt", "--this-chunk", "5", "--total-chunks", "4"),
            List.of("wpt", "--this-chunk", "1", "--total-chunks", "4", "--repeat", "2"),
            List.of("wpt", "--this-chunk", "1", "--total-chunks", "4", "--until-unexpected"),
            List.of("explore", "--replay", GOOD_REPLAY, "--shard", "1/2", at("good.js")),
            List.of("differ", "--replay", "3", "--shard", "1/2"),
            List.of("merge", at("part.jsonl"), at("part.jsonl")),
            List.of("wpt", "--seed", "4"),
            List.of("wpt", "--watch", "--repeat", "2"),
            List.of("wpt", "--watch", "--until-unexpected"),
            List.of("wpt", "--watch", "--update-expectations"),
            List.of("wpt", "--list", "--update-expectations"),
            List.of("wpt", "--list", "--watch"),
            List.of("wpt", "--list", "--repeat", "2"),
            List.of("wpt", "--list", "--until-unexpected"),
            List.of("wpt", "--list", "--shuffle"),
            List.of("wpt", "--list", "--deterministic"),
            List.of("wpt", "--allow-net", "--deterministic"),
            List.of("wpt", "--list", "--fail-fast"),
            List.of("wpt", "--list", "--spec-variant", "node"),
            List.of("wpt", "--update-expectations", "--spec-variant", "node"),
            List.of("run", at("good.js"), "--variant=node", "--variant=abort-grants-nothing"),
            List.of("wpt", "--list", "--wptreport", out),
            List.of("wpt", "--list", "--junit", out),
            List.of("wpt", "--list", "--tap", out),
            List.of("wpt", "--list", "--jsonl", out),
            List.of("wpt", "--list", "--html", out),
            List.of("wpt", "--list", "--compare", report),
            List.of("wpt", "--list", "--trace", out),
            List.of("wpt", "--trace-format", "html"),
            List.of("wpt", "--trace", out, "--junit", out),
            List.of("wpt", "--trace", report, "--compare", report),
            List.of("run", "--trace-format", "html", at("good.js")),
            List.of("wpt", "--compare-html", out),
            List.of("wpt", "--junit", out, "--tap", out),
            List.of("wpt", "--junit", out, "--tap", at("directory/../out")),
            List.of("wpt", "--junit", report, "--compare", report),
            List.of("wpt", "--junit", at("good.js"), "--preload", at("good.js")),
            List.of("wpt", "--compare", report + "," + report),
            List.of("stress", "kill", "--deterministic", "--threads", "2"),
            List.of("run", "-", "-"),
            List.of("run", "--replay", GOOD_REPLAY, "--seed", "1", at("good.js")),
            List.of("run", "--replay", GOOD_REPLAY, "--allow-net", "a.test", at("good.js")),
            List.of("run", "--replay", GOOD_REPLAY, "--inspect", at("good.js")),
            List.of("run", "--replay", GOOD_REPLAY, "--origin", "https://a.test", at("good.js")),
            List.of("explore", "--wpt", "area/a.any.html", at("good.js")),
            List.of("explore", "--wpt", "area/a.any.html", "--agents", "2"),
            List.of("explore", "--depth", "2", at("good.js")),
            List.of("explore", "--preemptions", "2", at("good.js")),
            List.of("explore", "--seed", "2", "--strategy", "dfs", at("good.js")),
            List.of("explore", "--replay", GOOD_REPLAY, "--seed", "2", at("good.js")),
            List.of("explore", "--trace", out, "--json", out, at("good.js")),
            List.of("run", "--start-time", "2025-01-01T00:00:00Z", at("good.js")),
            List.of("run", "--namespace", "shop", at("good.js")),
            List.of("run", "--cluster-id", "shop", at("good.js")),
            List.of("run", "--insecure", at("good.js")),
            List.of("run", "--cluster", PEERS, "--tls-key", at("good.js"), at("good.js")),
            List.of("run", "--cluster", "n1=192.0.2.1:7800", at("good.js")),
            List.of("cluster", "secret"),
            List.of("cluster", "secret", at("good.js")),
            List.of("cluster", "secret", at("missing/secret")),
            List.of("cluster", "status", "--peers", PEERS, "--secret", at("good.js"), "--insecure"),
            List.of("run", "--cluster", PEERS, "--deterministic", at("good.js")),
            List.of("run", "--cluster", PEERS, "--replay", GOOD_REPLAY, at("good.js")),
            List.of("wpt", "--cluster", "trial", "--deterministic"),
            List.of("wpt", "--cluster", "trial", "--list"),
            List.of("explore", "--cluster", "3", "--wpt", "area/a.any.html"),
            List.of("node", "--peers", PEERS, "--data", out),
            List.of("node", "--id", "n1", "--data", out),
            List.of("node", "--id", "n1", "--peers", PEERS),
            List.of("cluster", "status"),
            List.of("cluster-agent"),
            List.of("cluster-agent", PEERS, "x"),
            List.of("cluster-agent", PEERS, "1"),
            List.of("cluster-agent", "n1", "4000"),
            List.of("stress", "cluster", "--fault", "partition-leader"),
            List.of("stress", "cluster", "--namespaces", "--fault", "delay"),
            List.of("cluster", "replace", "--remove", "n3", "--add", "n4=127.0.0.1:4"),
            List.of("cluster", "replace", "--peers", PEERS, "--add", "n4=127.0.0.1:4"),
            List.of("cluster", "replace", "--peers", PEERS, "--remove", "n3"),
            List.of("run", "--check-deterministic", "3", at("good.js")),
            List.of(
                "run",
                "--deterministic",
                "--check-deterministic",
                "3",
                "--trace",
                out,
                at("good.js")))) {
      assertRefused("", args);
    }
  }
}
