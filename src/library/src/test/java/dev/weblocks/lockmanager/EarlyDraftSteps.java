package dev.weblocks.lockmanager;

import dev.weblocks.lockmanager.WorkingDraftSteps.Algorithm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The algorithms of the early draft and their steps, read from a test resource. */
final class EarlyDraftSteps {

  /** The revision of the text. */
  static final String DRAFT =
      "https://github.com/w3c/web-locks/blob/153b705b5405e551394e84a7920cf474a5cf186b"
          + "/proto-spec.md";

  private static final Path FILE =
      Path.of("src/library/src/test/resources/dev/weblocks/lockmanager/early-draft-steps.txt");

  private EarlyDraftSteps() {}

  static List<Algorithm> algorithms() throws IOException {
    return WorkingDraftSteps.read(FILE, DRAFT);
  }

  /** Returns the anchor of a heading in the published text. */
  static String anchorOf(String heading) {
    return heading.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9 -]", "").replace(' ', '-');
  }
}
