package dev.weblocks.xhr;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.file.Blob;

/**
 * The {@code FileReaderSync} interface.
 *
 * @see <a href="https://w3c.github.io/FileAPI/#FileReaderSync">File API</a>
 */
final class FileReaderSync extends PlatformObject {

  private FileReaderSync(Realm realm) {
    super(realm);
  }

  static void define(Implementations implementations) {
    Implementations.Interface<FileReaderSync> reader =
        implementations
            .implement("FileReaderSync", FileReaderSync.class)
            .constructor((realm, args) -> new FileReaderSync(realm));
    PackagedData.OPERATIONS.forEach((operation, type) ->
        reader.operation(
            operation,
            (self, args) ->
                PackagedData.packageData(
                    self.realm(),
                    args.object(0, Blob.class),
                    type,
                    type == PackagedData.Type.TEXT && args.isPresent(1) ? args.string(1) : null)));
  }
}
