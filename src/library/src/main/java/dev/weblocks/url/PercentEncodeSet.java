package dev.weblocks.url;

/**
 * A set of code points to percent-encode. It always contains those above U+007E.
 *
 * @param low a bit for each of U+0000 to U+003F
 * @param high a bit for each of U+0040 to U+007E
 * @see <a href="https://url.spec.whatwg.org/#percent-encoded-bytes">URL Standard</a>
 */
record PercentEncodeSet(long low, long high) {

  /** <a href="https://url.spec.whatwg.org/#c0-control-percent-encode-set">C0 control</a> */
  static final PercentEncodeSet C0_CONTROL = new PercentEncodeSet(0xFFFF_FFFFL, 0);

  /** <a href="https://url.spec.whatwg.org/#fragment-percent-encode-set">fragment</a> */
  static final PercentEncodeSet FRAGMENT = C0_CONTROL.with(" \"<>`");

  /** <a href="https://url.spec.whatwg.org/#query-percent-encode-set">query</a> */
  static final PercentEncodeSet QUERY = C0_CONTROL.with(" \"#<>");

  /** <a href="https://url.spec.whatwg.org/#special-query-percent-encode-set">special-query</a> */
  static final PercentEncodeSet SPECIAL_QUERY = QUERY.with("'");

  /** <a href="https://url.spec.whatwg.org/#path-percent-encode-set">path</a> */
  static final PercentEncodeSet PATH = QUERY.with("?^`{}");

  /** <a href="https://url.spec.whatwg.org/#userinfo-percent-encode-set">userinfo</a> */
  static final PercentEncodeSet USERINFO = PATH.with("/:;=@[\\]|");

  /** <a href="https://url.spec.whatwg.org/#component-percent-encode-set">component</a> */
  static final PercentEncodeSet COMPONENT = USERINFO.with("$%&+,");

  /**
   * <a
   * href="https://url.spec.whatwg.org/#application-x-www-form-urlencoded-percent-encode-set">application/x-www-form-urlencoded</a>
   */
  static final PercentEncodeSet FORM = COMPONENT.with("!'()~");

  private PercentEncodeSet with(String more) {
    long newLow = low;
    long newHigh = high;
    for (int i = 0; i < more.length(); i++) {
      char c = more.charAt(i);
      if (c < 64) {
        newLow |= 1L << c;
      } else {
        newHigh |= 1L << c - 64;
      }
    }
    return new PercentEncodeSet(newLow, newHigh);
  }

  boolean contains(int codePoint) {
    return codePoint > 0x7E || ((codePoint < 64 ? low : high) >> (codePoint & 63) & 1) == 1;
  }
}
