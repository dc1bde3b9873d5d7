package dev.weblocks.harness.wpt;

import dev.weblocks.url.PercentEncoding;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A generator of pages and worker scripts that have no file. Each wraps a script test for one
 * scope, as in WPT's server. Shadow realm scopes are not supported.
 */
final class GeneratedResources {

  /**
   * A generated resource, before the headers of {@code .headers} files are added.
   *
   * @param sourcePath decoded path of the wrapped script, whose {@code .headers} apply
   * @param scriptPath path of the loaded script; determines whether placeholders are substituted
   */
  record Generated(String sourcePath, String scriptPath, String contentType, String text) {}

  private record Parts(TestMetadata metadata, String script, String search) {}

  private interface Template {
    String write(Parts parts);
  }

  /**
   * The rule for one form of generated resource.
   *
   * @param request suffix of the requested path
   * @param source suffix of the script's path
   * @param script suffix of the path that the template loads
   * @param kind the scope that the script must be exposed to; null if that is not checked
   */
  private record Form(
      String request,
      String source,
      String script,
      @Nullable TestKind kind,
      String contentType,
      Template template) {}

  private static final String HTML = "text/html";
  private static final String SCRIPT = "text/javascript";

  /** The forms of resources. If one suffix ends with another, the longer one comes first. */
  private static final List<Form> FORMS =
      List.of(
          anyPage(".any.html", TestKind.ANY_WINDOW, p -> page(p, true, "")),
          anyPage(
              ".any.window-module.html",
              TestKind.ANY_WINDOW_MODULE,
              p -> page(p, false, " type=module")),
          workerPage(".any.worker.html", TestKind.ANY_WORKER, "new Worker(%s)"),
          workerPage(
              ".any.worker-module.html",
              TestKind.ANY_WORKER_MODULE,
              "new Worker(%s, {type: \"module\"})"),
          workerPage(".any.sharedworker.html", TestKind.ANY_SHARED_WORKER, "new SharedWorker(%s)"),
          workerPage(
              ".any.sharedworker-module.html",
              TestKind.ANY_SHARED_WORKER_MODULE,
              "new SharedWorker(%s, {type: \"module\"})"),
          serviceWorkerPage(".any.serviceworker.html", TestKind.ANY_SERVICE_WORKER, ""),
          serviceWorkerPage(
              ".any.serviceworker-module.html",
              TestKind.ANY_SERVICE_WORKER_MODULE,
              ", type: \"module\""),
          anyScript(".any.worker.js", "importScripts(%s);"),
          anyScript(".any.worker-module.js", "import %s;"),
          new Form(".window.html", ".window.js", ".window.js", null, HTML, p -> page(p, false, "")),
          new Form(
              ".worker.html",
              ".worker.js",
              ".worker.js",
              null,
              HTML,
              p -> workerPage(p, "new Worker(%s)")));

  private final WptFiles files;

  GeneratedResources(WptFiles files) {
    this.files = files;
  }

  /**
   * Returns the resource at a path; empty if no generated resource has such a path.
   *
   * @throws ServerFailure with status 404 if the script is missing, or is not exposed to the scope
   */
  Optional<Generated> find(RequestUrl url) throws ServerFailure, java.io.IOException {
    for (Form form : FORMS) {
      if (url.path().endsWith(form.request())) {
        String stem = url.path().substring(0, url.path().length() - form.request().length());
        String source = PercentEncoding.decode(stem + form.source());
        byte[] content =
            files
                .read(source)
                .orElseThrow(() -> new ServerFailure(404, source + " does not exist"));
        TestMetadata metadata = TestMetadata.parse(content);
        if (form.kind() != null && !metadata.globals().contains(form.kind())) {
          throw new ServerFailure(
              404, source + " is not meant for the scope '" + form.kind().label() + "'");
        }
        String script = stem + form.script();
        String text = form.template().write(new Parts(metadata, script, url.search()));
        return Optional.of(new Generated(source, script, form.contentType(), text));
      }
    }
    return Optional.empty();
  }

  private static Form anyPage(String suffix, TestKind kind, Template template) {
    return new Form(suffix, ".any.js", ".any.js", kind, HTML, template);
  }

  private static Form anyScript(String suffix, String load) {
    return new Form(suffix, ".any.js", ".any.js", null, SCRIPT, p -> workerScript(p, load));
  }

  private static Form workerPage(String suffix, TestKind kind, String constructor) {
    String script = suffix.contains("-module") ? ".any.worker-module.js" : ".any.worker.js";
    return new Form(suffix, ".any.js", script, kind, HTML, p -> workerPage(p, constructor));
  }

  private static Form serviceWorkerPage(String suffix, TestKind kind, String options) {
    String script = suffix.contains("-module") ? ".any.worker-module.js" : ".any.worker.js";
    return new Form(suffix, ".any.js", script, kind, HTML, p -> serviceWorkerPage(p, options));
  }

  private static String page(Parts parts, boolean withGlobal, String scriptAttributes) {
    StringBuilder text = head(parts);
    if (withGlobal) {
      text.append("<script>\n").append(globalObject(false)).append("</script>\n");
    }
    appendHarness(text);
    for (String script : parts.metadata().all("script")) {
      text.append("<script src=\"").append(attribute(script)).append("\"></script>\n");
    }
    // The element gives the document a body before the test runs, which tests rely on.
    return text.append("<div id=log></div>\n<script")
        .append(scriptAttributes)
        .append(" src=\"")
        .append(attribute(parts.script()))
        .append("\"></script>\n")
        .toString();
  }

  private static String workerPage(Parts parts, String constructor) {
    StringBuilder text = head(parts);
    appendHarness(text);
    return text.append("<div id=log></div>\n<script>\nfetch_tests_from_worker(")
        .append(constructor.formatted(literal(parts.script() + parts.search())))
        .append(");\n</script>\n")
        .toString();
  }

  /**
   * Returns a page for a service worker test. The scope is a path without a page, so that the
   * worker controls nothing.
   */
  private static String serviceWorkerPage(Parts parts, String options) {
    StringBuilder text = head(parts);
    appendHarness(text);
    return text.append("<div id=log></div>\n<script>\n(async () => {\n")
        .append("  const container = navigator.serviceWorker;\n")
        .append("  const scope = \"does/not/exist\";\n")
        .append("  const left = await container.getRegistration(scope);\n")
        .append("  if (left) await left.unregister();\n")
        .append("  const script = ")
        .append(literal(parts.script() + parts.search()))
        .append(";\n  const registration = await container.register(script, {scope")
        .append(options)
        .append("});\n  fetch_tests_from_worker(registration.installing);\n})();\n</script>\n")
        .toString();
  }

  private static String workerScript(Parts parts, String load) {
    StringBuilder text = new StringBuilder(globalObject(true));
    parts
        .metadata()
        .first("title")
        .ifPresent(title -> text.append("self.META_TITLE = ").append(literal(title)).append(";\n"));
    text.append(load.formatted(literal("/resources/testharness.js"))).append('\n');
    for (String script : parts.metadata().all("script")) {
      text.append(load.formatted(literal(script))).append('\n');
    }
    return text.append(load.formatted(literal(parts.script()))).append("\ndone();\n").toString();
  }

  private static StringBuilder head(Parts parts) {
    StringBuilder text = new StringBuilder("<!doctype html>\n<meta charset=utf-8>\n");
    parts
        .metadata()
        .first("title")
        .ifPresent(title ->
            text.append("<title>")
                .append(title.replace("&", "&amp;").replace("<", "&lt;"))
                .append("</title>\n"));
    if (parts.metadata().timeout() == TestTimeout.LONG) {
      text.append("<meta name=timeout content=long>\n");
    }
    return text;
  }

  private static void appendHarness(StringBuilder text) {
    text.append("<script src=\"/resources/testharness.js\"></script>\n")
        .append("<script src=\"/resources/testharnessreport.js\"></script>\n");
  }

  /** Returns a script with functions that testharness.js and tests call to detect their scope. */
  private static String globalObject(boolean worker) {
    return """
    self.GLOBAL = {
      isWindow() { return %s; },
      isWorker() { return %s; },
      isShadowRealm() { return false; },
    };
    """
        .formatted(!worker, worker);
  }

  private static String attribute(String value) {
    return value.replace("&", "&amp;").replace("\"", "&quot;");
  }

  /** Returns a string literal that is safe in a script element. */
  private static String literal(String value) {
    return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"").replace("<", "\\x3C") + '"';
  }
}
