#!/usr/bin/env bash
# GraalJS: who resolves the specifiers of a module depends on the release and on the scheme of the module's URI. Up to 25.0 the
# file system of the context gets each specifier as written. From 25.1 on, a module whose source has a URI of another scheme
# than file: is resolved by the engine: the file system gets a URI, and even a bare specifier becomes a relative one.
#
#   findings/graaljs-specifiers-by-uri.sh
#
# Guess before the first run: the file system gets './other.mjs' and 'bare' as written in each release, as documented by
# examples of FileSystem.parsePath(String).
# Seen: in GraalJS 25.0.3 so. In 25.1.3 and 25.5.5.0.3 only for file:; for https: it gets https://example.test/app/bare.
# Installs the three into a temporary folder. Exit status: 0 behaves as described, 1 does not any more, 2 cannot run.
set -euo pipefail
program='graaljs-specifiers-by-uri'
here=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=findings/lib.sh
. "$here/lib.sh"

cat >Specifiers.java <<'JAVA'
import java.io.IOException;
import java.net.URI;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.DirectoryStream;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.Map;
import java.util.Set;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.io.FileSystem;
import org.graalvm.polyglot.io.IOAccess;

class Specifiers {

  /** Prints what it is asked to parse, and has no files. */
  static final class Asked implements FileSystem {
    public Path parsePath(URI uri) {
      System.out.print("URI " + uri + "; ");
      throw new IllegalArgumentException("no files");
    }

    public Path parsePath(String path) {
      System.out.print("path " + path + "; ");
      throw new InvalidPathException(path, "no files");
    }

    public void checkAccess(Path path, Set<? extends AccessMode> modes, LinkOption... options) {}

    public void createDirectory(Path directory, FileAttribute<?>... attributes) {}

    public void delete(Path path) {}

    public SeekableByteChannel newByteChannel(
        Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
        throws IOException {
      throw new IOException("no files");
    }

    public DirectoryStream<Path> newDirectoryStream(
        Path directory, DirectoryStream.Filter<? super Path> filter) throws IOException {
      throw new IOException("no files");
    }

    public Path toAbsolutePath(Path path) {
      return path;
    }

    public Path toRealPath(Path path, LinkOption... options) {
      return path;
    }

    public Map<String, Object> readAttributes(Path path, String names, LinkOption... options)
        throws IOException {
      throw new IOException("no files");
    }
  }

  public static void main(String[] args) throws Exception {
    for (String uri : new String[] {"file:///app/main.mjs", "https://example.test/app/main.mjs"}) {
      for (String specifier : new String[] {"./other.mjs", "bare"}) {
        try (Context context =
            Context.newBuilder("js")
                .option("engine.WarnInterpreterOnly", "false")
                .allowIO(IOAccess.newBuilder().fileSystem(new Asked()).build())
                .build()) {
          context.eval(
              Source.newBuilder("js", "import '" + specifier + "';", "main.mjs")
                  .uri(URI.create(uri))
                  .mimeType("application/javascript+module")
                  .build());
        } catch (PolyglotException absent) {
          // no module exists
        }
      }
    }
    System.out.println();
  }
}
JAVA
as_written='path ./other.mjs; path bare; '
of() { # VERSION
  fetch_graaljs "$1"
  line=$(run_java "$1" Specifiers.java | tail -n 1)
  echo "GraalJS $1: $line"
}
of 25.0.3
[ "$line" = "$as_written$as_written" ] || die 1 "GraalJS 25.0.3 behaves otherwise"
for engine in 25.1.3 25.5.5.0.3; do
  of "$engine"
  [ "$line" = "${as_written}URI https://example.test/app/other.mjs; URI https://example.test/app/bare; " ] ||
    die 1 "GraalJS $engine behaves otherwise"
done
