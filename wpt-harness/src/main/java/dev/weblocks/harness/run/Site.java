package dev.weblocks.harness.run;

import dev.weblocks.embed.ResourceLoader;
import dev.weblocks.embed.ResourceRequest;
import dev.weblocks.embed.ResourceResponse;
import dev.weblocks.explore.text.HarmlessText;
import dev.weblocks.file.ServedDirectory;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The resources of the user agent of a run: the programs with a page for each, the files of their
 * directories, and hosts named by the user. All other requests are refused and reported. The root
 * of the URLs is the deepest directory that contains all directories of programs. Thread-safe.
 */
public final class Site implements ResourceLoader {

  private static final int MAX_LINE = 1 << 20;

  private record Mount(String url, Path directory, ServedDirectory served, ResourceLoader files) {}

  private final String origin;
  private final Path root;
  private final Path workingDirectory;
  private final Set<String> hosts;
  private final ResourceLoader net;
  private final Consumer<String> notes;
  private final List<Mount> mounts;
  private final Map<String, ResourceResponse> made = new ConcurrentHashMap<>();
  private final Set<String> pages = ConcurrentHashMap.newKeySet();
  private final Map<String, Program> programs = new ConcurrentHashMap<>();
  private final Map<String, String> sources = new ConcurrentHashMap<>();
  private final Set<String> noted = ConcurrentHashMap.newKeySet();

  /** The URLs of scripts that were loaded. */
  private final Set<String> scripts = ConcurrentHashMap.newKeySet();

  private final Pattern urls;

  /**
   * Creates a site.
   *
   * @param origin serialized, such as {@code https://localhost}
   * @param directories directories to serve, at least one, absolute
   * @param workingDirectory base of paths in messages
   * @param hosts hosts that {@code net} may reach, in lower case, with or without a port
   * @param net loads from real servers
   * @param reader reads files; with a deterministic driver, on the calling thread
   * @param notes receives one line for each URL that is refused, or that a page does not find
   * @throws IllegalArgumentException if no directory contains all directories
   */
  public Site(
      String origin,
      List<Path> directories,
      Path workingDirectory,
      Set<String> hosts,
      ResourceLoader net,
      Executor reader,
      Consumer<String> notes) {
    this.origin = origin;
    this.workingDirectory = workingDirectory;
    this.hosts = Set.copyOf(hosts);
    this.net = net;
    this.notes = notes;
    this.root = commonDirectory(directories);
    this.mounts =
        directories.stream()
            .distinct()
            .map(directory -> {
              String url = directoryUrl(directory);
              return new Mount(
                  url,
                  directory,
                  new ServedDirectory(directory),
                  ResourceLoader.directory(url, directory, reader));
            })
            .sorted(Comparator.comparing((Mount mount) -> mount.url().length()).reversed())
            .toList();
    this.urls = Pattern.compile(Pattern.quote(origin) + "/[^\\s()\"'<>]*?(?=:\\d+(?::\\d+)?\\b)");
  }

  /**
   * Returns the deepest directory that contains all given ones.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Path commonDirectory(List<Path> directories) {
    Path common = directories.getFirst();
    for (Path directory : directories) {
      while (common != null && !directory.startsWith(common)) {
        common = common.getParent();
      }
      if (common == null) {
        throw new IllegalArgumentException(
            "no directory holds both " + directories.getFirst() + " and " + directory);
      }
    }
    return common;
  }

  private String directoryUrl(Path directory) {
    StringBuilder url = new StringBuilder(origin).append('/');
    for (Path name : root.relativize(directory)) {
      if (!name.toString().isEmpty()) {
        url.append(escaped(name.toString())).append('/');
      }
    }
    return url.toString();
  }

  /** Returns a name as a path segment of a URL, percent-encoded according to the URL Standard. */
  private static String escaped(String name) {
    StringBuilder escaped = new StringBuilder();
    for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
      int c = each & 0xff;
      if (c <= ' ' || c >= 0x7f || "\"#<>?`{}%\\^".indexOf(c) >= 0) {
        escaped.append("%%%02X".formatted(c));
      } else {
        escaped.append((char) c);
      }
    }
    return escaped.toString();
  }

  /**
   * Adds the page that runs a program in an agent, and returns the URL of the page.
   *
   * @param number number of the agent, unique for each page
   */
  public String addPage(Program program, int number) {
    String directory = directoryUrl(program.directory());
    String script = directory + escaped(program.fileName());
    programs.put(script, program);
    sources.put(script, program.text());
    scripts.add(script);
    made.put(script, ResourceResponse.of(script, "text/javascript;charset=utf-8", program.text()));
    String failed =
        "reportError(new TypeError('The script, or a module that it imports, was not loaded'))";
    return addPage(
        directory,
        number,
        importMap(program.imports().importMap())
            + "<script%s src=\"%s\" onerror=\"%s\"></script>"
                .formatted(program.module() ? " type=\"module\"" : "", attribute(script), failed));
  }

  /**
   * Returns an import map as HTML. Its addresses are relative to its own file, whose URL is the
   * base URL of the page while the page registers the map.
   */
  private String importMap(@Nullable ImportMapFile map) {
    if (map == null) {
      return "";
    }
    Path directory = Objects.requireNonNull(map.path().getParent(), "a file has a directory");
    String base = directoryUrl(directory) + escaped(map.path().getFileName().toString());
    // a less-than sign can only be part of a string
    return "<base href=\"%s\"><script type=\"importmap\">%s</script>"
            .formatted(attribute(base), map.text().replace("<", "\\u003c"))
        + "<script>document.querySelector('base').remove()</script>";
  }

  /** Adds a page without any script; its base URL is that of a served directory. */
  public String addEmptyPage(Path directory, int number) {
    return addPage(directoryUrl(directory), number, "");
  }

  private String addPage(String directory, int number, String body) {
    String page = directory + "?agent=" + number;
    pages.add(page);
    made.put(
        page,
        ResourceResponse.of(
            page,
            "text/html;charset=utf-8",
            "<!DOCTYPE html><meta charset=\"utf-8\"><title></title><body>" + body));
    return page;
  }

  private static String attribute(String url) {
    return url.replace("&", "&amp;").replace("\"", "&quot;");
  }

  @Override
  public CompletionStage<ResourceResponse> load(ResourceRequest request) {
    String url = request.url();
    ResourceResponse ready = made.get(url);
    if (ready != null) {
      return CompletableFuture.completedFuture(ready);
    }
    if (url.startsWith(origin + "/")) {
      return ofOrigin(request);
    }
    URI uri;
    try {
      uri = URI.create(url);
    } catch (IllegalArgumentException unusual) {
      return refused(url, "it is not the URL of a server");
    }
    String host = String.valueOf(uri.getHost()).toLowerCase(Locale.ROOT);
    if (hosts.contains(host) || hosts.contains(host + ":" + portOf(uri))) {
      return net.load(request);
    }
    return refused(url, "use --allow-net " + host + " to allow it");
  }

  private static int portOf(URI uri) {
    return uri.getPort() >= 0 ? uri.getPort() : "http".equals(uri.getScheme()) ? 80 : 443;
  }

  private CompletionStage<ResourceResponse> refused(String url, String why) {
    note(url, "refused " + url + ": " + why);
    return CompletableFuture.failedFuture(new IOException("refused: " + why));
  }

  private CompletionStage<ResourceResponse> ofOrigin(ResourceRequest request) {
    String url = request.url();
    Mount mount = mountOf(url);
    if (mount == null) {
      note(url, "refused " + url + ": it is outside of the directories of the scripts");
      return CompletableFuture.completedFuture(
          new ResourceResponse(url, 404, "Not Found", List.of(), new byte[0]));
    }
    return mount
        .files()
        .load(request)
        .thenApply(response -> {
          if (response.status() == 404) {
            if (leadsOut(url, mount)) {
              note(
                  url,
                  "refused "
                      + url
                      + ": a symbolic link leads out of "
                      + shown(mount.directory())
                      + ": name a directory that contains its target with --root");
            } else if (!isOfScript(request)) {
              note(url, "not found: " + url + " (in " + shown(mount.directory()) + ")");
            }
          } else if (isText(response)) {
            remember(url, response.body());
            if (hasType(response, "text/javascript.*")) {
              scripts.add(url);
            }
          }
          return response;
        })
        .whenComplete((response, failure) -> {
          if (failure != null) {
            Throwable cause = failure.getCause() == null ? failure : failure.getCause();
            note(url, "not served: " + url + ": " + cause.getMessage());
          }
        });
  }

  /** Returns whether a URL is that of a file outside of its directory. */
  private boolean leadsOut(String url, Mount mount) {
    Path path = pathOf(url);
    return path != null && Files.exists(path) && mount.served().realPath(path) == null;
  }

  /** Returns whether a script requests a resource, which then reports itself that it is missing. */
  private boolean isOfScript(ResourceRequest request) {
    return request.headers().stream()
        .anyMatch(header ->
            header.getKey().equalsIgnoreCase("Referer") && scripts.contains(header.getValue()));
  }

  private static boolean isText(ResourceResponse response) {
    return hasType(response, "text/(javascript|html).*");
  }

  private static boolean hasType(ResourceResponse response, String pattern) {
    return response.headers().stream()
        .anyMatch(header ->
            header.getKey().equalsIgnoreCase("Content-Type") && header.getValue().matches(pattern));
  }

  /** Stores the text of a resource as it was loaded, because errors quote lines of it. */
  private void remember(String url, byte[] body) {
    if (body.length <= MAX_LINE) {
      sources.put(url, new String(body, StandardCharsets.UTF_8));
    }
  }

  private @Nullable Mount mountOf(String url) {
    for (Mount mount : mounts) {
      if (url.startsWith(mount.url())) {
        return mount;
      }
    }
    return null;
  }

  private void note(String url, String text) {
    if (noted.add(url)) {
      notes.accept(text);
    }
  }

  @Override
  public void close() {
    net.close();
  }

  /** Returns a line of a text loaded from a URL of this site; line numbers begin with 1. */
  public Optional<String> line(String url, int number) {
    String source = sources.get(url);
    return source == null || number < 1
        ? Optional.empty()
        : source.lines().skip(number - 1L).findFirst();
  }

  /** Returns the display name of a URL: a label or a path if it has one, otherwise the URL. */
  public String name(String url) {
    Program program = programs.get(url);
    if (program != null) {
      return program.label();
    }
    Path path = pathOf(url);
    return path == null ? url : shown(path);
  }

  /** Returns the path of a URL in the served directories; null if it has none. */
  @Nullable Path pathOf(String url) {
    Mount mount = mountOf(url);
    if (mount == null) {
      return null;
    }
    String path = url.substring(mount.url().length()).replaceFirst("[?#].*", "");
    try {
      Path resolved =
          mount
              .directory()
              .resolve(URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8))
              .normalize();
      return resolved.startsWith(mount.directory()) ? resolved : null;
    } catch (IllegalArgumentException noPath) { // includes InvalidPathException
      return null;
    }
  }

  /** Returns the directory of relative URLs of a script or page; null if it is not of this site. */
  @Nullable Path directoryOf(String url) {
    String plain = url.replaceFirst("[?#].*", "");
    return pathOf(plain.substring(0, plain.lastIndexOf('/') + 1));
  }

  /** Returns the served directory that contains the path of a URL; null if there is none. */
  @Nullable Path servedDirectory(String url) {
    Mount mount = mountOf(url);
    return mount == null ? null : mount.directory();
  }

  /** Returns whether a path is that of a file in a served directory. */
  boolean isFile(Path path) {
    return mounts.stream()
        .map(mount -> mount.served().realPath(path))
        .anyMatch(real -> real != null && Files.isRegularFile(real));
  }

  /**
   * Returns the content of a file in a served directory.
   *
   * @throws NoSuchFileException if it does not exist or is in none
   */
  byte[] read(Path file) throws IOException {
    for (Mount mount : mounts) {
      if (mount.served().realPath(file) != null) {
        return mount.served().read(file);
      }
    }
    throw new NoSuchFileException(file.toString());
  }

  /** Returns the URL of the real path of a file; null if no served directory contains it. */
  @Nullable String urlOf(Path file) throws IOException {
    for (Mount mount : mounts) {
      Path real = mount.served().realPath(file);
      if (real != null) {
        Path directory = mount.directory().toRealPath();
        StringBuilder url = new StringBuilder(mount.url());
        for (Path name : directory.relativize(real)) {
          url.append(url.charAt(url.length() - 1) == '/' ? "" : "/")
              .append(escaped(name.toString()));
        }
        return url.toString();
      }
    }
    return null;
  }

  boolean isPage(String url) {
    return pages.contains(url);
  }

  boolean mentionsPage(String line) {
    return line.contains("?agent=") && pages.stream().anyMatch(page -> line.contains(page + ":"));
  }

  /** Replaces URLs of resources in a text, such as a stack, by the names of the resources. */
  public String withNames(String text) {
    Matcher matcher = urls.matcher(text);
    return matcher.replaceAll((MatchResult url) -> Matcher.quoteReplacement(name(url.group())));
  }

  String shown(Path path) {
    return shown(workingDirectory, path);
  }

  /**
   * Returns a path for display, on one line: relative if it is below the working directory. The
   * output of scripts is not escaped in a file, but the names of their files are.
   */
  public static String shown(Path workingDirectory, Path path) {
    String text =
        path.startsWith(workingDirectory)
            ? workingDirectory.relativize(path).toString()
            : path.toString();
    return text.isEmpty() ? "." : HarmlessText.line(text);
  }

  /** Returns the directories whose files programs can load, without duplicates. */
  public static List<Path> directoriesOf(List<Program> programs) {
    List<Path> directories = new ArrayList<>();
    for (Program program : programs) {
      Path root = program.imports().root();
      Path served = root == null ? program.directory() : root;
      if (!directories.contains(served)) {
        directories.add(served);
      }
    }
    return directories;
  }
}
