package dev.weblocks.lockmanager;

/** Reports bytes of a version that this build cannot read. */
public final class UnsupportedVersionException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  private final int version;

  UnsupportedVersionException(String what, int version, int newest) {
    super(
        "%s has version %s, but this build reads version %s; use the build that wrote it"
            .formatted(what, version, newest == 1 ? "1" : "1 to " + newest));
    this.version = version;
  }

  /** Returns the version of the bytes. */
  public int version() {
    return version;
  }
}
