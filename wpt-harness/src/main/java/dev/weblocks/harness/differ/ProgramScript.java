package dev.weblocks.harness.differ;

import dev.weblocks.harness.differ.model.Program;
import dev.weblocks.harness.differ.model.Statement;
import dev.weblocks.harness.differ.model.Value;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The writer of programs as JavaScript. */
public final class ProgramScript {

  private final StringBuilder text = new StringBuilder();
  private final Program program;

  private ProgramScript(Program program) {
    this.program = program;
  }

  /** Returns the files of a program. */
  public static ProgramFiles files(Program program) {
    SortedMap<String, String> files = new TreeMap<>();
    for (Program.Realm realm : program.realms()) {
      String script = script(program, realm);
      boolean worker =
          realm.kind() == Program.Kind.WORKER || realm.kind() == Program.Kind.SHARED_WORKER;
      String path =
          realm.kind() == Program.Kind.MAIN
              ? ProgramFiles.INDEX
              : "/" + realm.name() + (worker ? ".js" : ".html");
      files.put(
          path,
          worker
              ? "importScripts('" + ProgramFiles.RUNTIME + "');\n" + script
              : """
              <!DOCTYPE html><meta charset="utf-8"><title>%s</title><body>
              <script src="%s"></script>
              <script>
              %s</script>
              """
                  .formatted(realm.name(), ProgramFiles.RUNTIME, script));
    }
    files.put(ProgramFiles.RUNTIME, runtime());
    return new ProgramFiles(files);
  }

  private static String runtime() {
    try (InputStream in = ProgramScript.class.getResourceAsStream("runtime.js")) {
      if (in == null) {
        throw new IllegalStateException("runtime.js is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the script of a realm, without the runtime. */
  public static String script(Program program, Program.Realm realm) {
    ProgramScript writer = new ProgramScript(program);
    writer.line(
        0, "begin('%s', %d, %d);".formatted(realm.name(), Program.DEFERREDS, Program.CONTROLLERS));
    if (realm.kind() == Program.Kind.FRAME || realm.kind() == Program.Kind.WINDOW) {
      writer.line(0, "meet('" + realm.name() + "');");
    }
    for (int i = 0; i < realm.handlers().size(); i++) {
      if (!realm.handlers().get(i).isEmpty()) {
        writer.block(0, "handlers[" + i + "] = () => {", realm.handlers().get(i), ";");
      }
    }
    writer.body(0, realm.body());
    return writer.text.toString();
  }

  private void line(int depth, String line) {
    text.append("  ".repeat(depth)).append(line).append('\n');
  }

  private void body(int depth, List<Statement> body) {
    body.forEach(each -> statement(depth, each));
  }

  private void block(int depth, String head, List<Statement> body, String tail) {
    if (body.isEmpty()) {
      line(depth, head + "}" + tail);
      return;
    }
    line(depth, head);
    body(depth + 1, body);
    line(depth, "}" + tail);
  }

  private void statement(int depth, Statement statement) {
    switch (statement) {
      case Statement.Log log -> line(depth, "log('" + log.id() + "');");
      case Statement.Request request -> request(depth, request);
      case Statement.Query query ->
          line(
              depth, "watchQuery(%d, %s.query());".formatted(query.id(), manager(query.manager())));
      case Statement.Abort abort ->
          line(
              depth,
              "ac[%d].abort(%s);"
                  .formatted(
                      abort.controller(),
                      abort.reason() == null ? "" : "'" + abort.reason() + "'"));
      case Statement.OnAbort on ->
          block(
              depth,
              "onAbort(" + on.id() + ", ac[" + on.controller() + "].signal, () => {",
              on.body(),
              ");");
      case Statement.Settle settle ->
          line(
              depth,
              "d[%d].%s(%s);"
                  .formatted(
                      settle.deferred(),
                      settle.rejects() ? "reject" : "resolve",
                      settle.value().script()));
      case Statement.React react ->
          block(
              depth,
              "react(" + react.id() + ", " + react.promise().script() + ", () => {",
              react.body(),
              ");");
      case Statement.Later later -> later(depth, later);
      case Statement.Async async -> block(depth, "(async () => {", async.body(), ")();");
      case Statement.Await await ->
          line(
              depth,
              "try { log('%1$d awaited ' + show(await %2$s)); } catch (e) { log('%1$d awaited rejected ' + error(e)); }"
                  .formatted(await.id(), await.value().script()));
      case Statement.Send send ->
          line(depth, "send('" + send.realm() + "', " + send.message() + ");");
      case Statement.Start start ->
          line(
              depth,
              switch (program.realm(start.realm()).kind()) {
                    case MAIN -> throw new IllegalArgumentException("the main window is open");
                    case FRAME -> "frame";
                    case WINDOW -> "opened";
                    case WORKER -> "worker";
                    case SHARED_WORKER -> "shared";
                  }
                  + "('"
                  + start.realm()
                  + "');");
      case Statement.End end -> line(depth, "end('" + end.realm() + "');");
      case Statement.Close close -> line(depth, "close();");
    }
  }

  private static String manager(@Nullable String realm) {
    return realm == null ? "locks" : "(peers." + realm + " ?? locks)";
  }

  private void later(int depth, Statement.Later later) {
    String log = "log('" + later.id() + "');";
    String head =
        switch (later.turn()) {
          case PROMISE_JOB -> "Promise.resolve().then(() => { ";
          case MICROTASK -> "queueMicrotask(() => { ";
          case TIMER -> "setTimeout(() => { ";
        };
    block(depth, head + log, later.body(), ");");
  }

  private void request(int depth, Statement.Request request) {
    int id = request.id();
    StringBuilder call = new StringBuilder("p[%1$d] = watch(%1$d, ".formatted(id));
    call.append(manager(request.manager())).append(".request");
    call.append(request.brokenThis() ? ".call({}, " : "(");
    String name = "'" + request.name().text() + "'";
    call.append(
        switch (request.name().form()) {
          case STRING -> name;
          case OBJECT -> "named(" + id + ", " + name + ")";
          case BAD_OBJECT -> "badName(" + id + ")";
          case SYMBOL -> "Symbol('s')";
        });
    if (request.callback() instanceof Statement.Callback.Missing) {
      line(depth, call + "));");
      return;
    }
    String options = options(id, request.options());
    call.append(options.isEmpty() ? "" : ", " + options).append(", ");
    if (!(request.callback() instanceof Statement.Callback.Function function)) {
      line(depth, call + "{}));");
      return;
    }
    line(depth, call + (function.async() ? "async lock => {" : "lock => {"));
    line(depth + 1, "log('" + id + " called ' + show(lock));");
    body(depth + 1, function.body());
    if (!(function.result() instanceof Value.Undefined) || function.fails()) {
      line(depth + 1, (function.fails() ? "throw " : "return ") + function.result().script() + ";");
    }
    line(depth, "}));");
  }

  private static String options(int id, Statement.Options options) {
    return switch (options.form()) {
      case ABSENT -> "";
      case UNDEFINED -> "undefined";
      case NULL -> "null";
      case NUMBER -> "7";
      case OBJECT, PROXY -> {
        List<String> members = options.members().stream().map(each -> each.script(id)).toList();
        String object =
            members.isEmpty()
                ? "{}"
                : members.size() == 1
                    ? members.getFirst()
                    : "options(" + String.join(", ", members) + ")";
        yield options.form() == Statement.Options.Form.PROXY
            ? "watched(" + id + ", " + object + ")"
            : object;
      }
    };
  }
}
