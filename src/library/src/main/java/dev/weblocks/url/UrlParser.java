package dev.weblocks.url;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The basic URL parser. An instance parses one input; each state has a method of the same name.
 *
 * @see <a href="https://url.spec.whatwg.org/#concept-basic-url-parser">basic URL parser</a>
 */
public final class UrlParser {

  /** The states. A setter of {@code URL} starts with one of them as the state override. */
  enum State {
    SCHEME_START,
    SCHEME,
    NO_SCHEME,
    SPECIAL_RELATIVE_OR_AUTHORITY,
    PATH_OR_AUTHORITY,
    RELATIVE,
    RELATIVE_SLASH,
    SPECIAL_AUTHORITY_SLASHES,
    SPECIAL_AUTHORITY_IGNORE_SLASHES,
    AUTHORITY,
    HOST,
    HOSTNAME,
    PORT,
    FILE,
    FILE_SLASH,
    FILE_HOST,
    PATH_START,
    PATH,
    OPAQUE_PATH,
    QUERY,
    FRAGMENT
  }

  /** The result of a step of the state machine. */
  private enum Step {
    GO_ON,
    FAILURE,
    /** Ends the run before the end of the input, without failure; only with a state override. */
    RETURN
  }

  private static final int EOF = -1;

  private final int[] input;
  private final @Nullable UrlRecord base;
  private final @Nullable State override;

  /** The encoding of the query; null for UTF-8. */
  private final @Nullable QueryEncoding encoding;

  private State state;
  private int pointer;
  private int c;
  private final StringBuilder buffer = new StringBuilder();
  private boolean atSignSeen;
  private boolean insideBrackets;
  private boolean passwordTokenSeen;

  // The URL as parsed so far.
  private String scheme = "";
  private final StringBuilder username = new StringBuilder();
  private final StringBuilder password = new StringBuilder();
  private @Nullable String host;
  private int port = -1;
  private List<String> path = new ArrayList<>();
  private @Nullable StringBuilder opaquePath;
  private @Nullable StringBuilder query;
  private @Nullable StringBuilder fragment;

  private UrlParser(
      String input,
      @Nullable UrlRecord base,
      @Nullable QueryEncoding encoding,
      State state,
      @Nullable State override) {
    // 2 and 3
    this.input = input.codePoints().filter(c -> c != '\t' && c != '\n' && c != '\r').toArray();
    this.base = base;
    this.state = state; // 4
    this.encoding = encoding; // 5
    this.override = override;
  }

  /**
   * Parses a URL.
   *
   * @param base the URL against which a relative URL is resolved; null for none
   * @return null on failure
   * @see <a href="https://url.spec.whatwg.org/#concept-url-parser">URL parser</a>
   */
  public static @Nullable UrlRecord parse(String input, @Nullable UrlRecord base) {
    return parse(input, base, null);
  }

  /**
   * Parses a URL of a document.
   *
   * @param base the URL against which a relative URL is resolved; null for none
   * @param encoding the encoding of the query of a special URL; null for UTF-8
   * @return null on failure
   * @see <a href="https://url.spec.whatwg.org/#concept-url-parser">URL parser</a>
   */
  public static @Nullable UrlRecord parse(
      String input, @Nullable UrlRecord base, @Nullable QueryEncoding encoding) {
    UrlParser parser = new UrlParser(trimmed(input), base, encoding, State.SCHEME_START, null); // 1
    return parser.run() ? parser.result() : null;
  }

  /** Parses an absolute URL; returns null on failure. */
  public static @Nullable UrlRecord parse(String input) {
    return parse(input, null);
  }

  /**
   * Parses an absolute URL that must be valid.
   *
   * @throws IllegalArgumentException if it is not a valid absolute URL
   */
  public static UrlRecord parseAbsolute(String input) {
    UrlRecord url = parse(input);
    if (url == null) {
      throw new IllegalArgumentException("'" + input + "' is not an absolute URL");
    }
    return url;
  }

  /**
   * Parses an input as a part of a URL.
   *
   * @param override the state to begin with
   * @return the URL with the changes made until the end of the input or a failure
   */
  static UrlRecord parseInto(UrlRecord url, String input, State override) {
    return parseInto(url, input, null, override);
  }

  /** Parses an input as a part of a URL, with an encoding of the query; null for UTF-8. */
  static UrlRecord parseInto(
      UrlRecord url, String input, @Nullable QueryEncoding encoding, State override) {
    UrlParser parser = new UrlParser(input, null, encoding, override, override);
    parser.scheme = url.scheme();
    parser.username.append(url.username());
    parser.password.append(url.password());
    parser.host = url.host();
    parser.port = url.port();
    switch (url.path()) {
      case UrlPath.Opaque(String text) -> parser.opaquePath = new StringBuilder(text);
      case UrlPath.Segments(List<String> list) -> parser.path = new ArrayList<>(list);
    }
    parser.query = builder(url.query());
    parser.fragment = builder(url.fragment());
    parser.run();
    return parser.result();
  }

  private static @Nullable StringBuilder builder(@Nullable String text) {
    return text == null ? null : new StringBuilder(text);
  }

  private static String trimmed(String input) {
    int start = 0;
    int end = input.length();
    while (start < end && input.charAt(start) <= ' ') {
      start++;
    }
    while (end > start && input.charAt(end - 1) <= ' ') {
      end--;
    }
    return input.substring(start, end);
  }

  private UrlRecord result() {
    return new UrlRecord(
        scheme,
        username.toString(),
        password.toString(),
        host,
        port,
        opaquePath == null ? new UrlPath.Segments(path) : new UrlPath.Opaque(opaquePath.toString()),
        query == null ? null : query.toString(),
        fragment == null ? null : fragment.toString());
  }

  /** Runs step 9, the state machine; returns false on failure. */
  private boolean run() {
    for (pointer = 0; ; pointer++) {
      c = at(pointer);
      Step step = step();
      if (step != Step.GO_ON) {
        return step == Step.RETURN;
      }
      if (pointer >= input.length) {
        return true;
      }
    }
  }

  private Step step() {
    return switch (state) {
      case SCHEME_START -> schemeStart();
      case SCHEME -> scheme();
      case NO_SCHEME -> noScheme();
      case SPECIAL_RELATIVE_OR_AUTHORITY -> specialRelativeOrAuthority();
      case PATH_OR_AUTHORITY -> pathOrAuthority();
      case RELATIVE -> relative();
      case RELATIVE_SLASH -> relativeSlash();
      case SPECIAL_AUTHORITY_SLASHES -> specialAuthoritySlashes();
      case SPECIAL_AUTHORITY_IGNORE_SLASHES -> specialAuthorityIgnoreSlashes();
      case AUTHORITY -> authority();
      case HOST, HOSTNAME -> host();
      case PORT -> port();
      case FILE -> file();
      case FILE_SLASH -> fileSlash();
      case FILE_HOST -> fileHost();
      case PATH_START -> pathStart();
      case PATH -> path();
      case OPAQUE_PATH -> opaquePath();
      case QUERY -> query();
      case FRAGMENT -> fragment();
    };
  }

  private int at(int index) {
    return index >= 0 && index < input.length ? input[index] : EOF;
  }

  /** Returns whether the code point after {@code c} is the given one. */
  private boolean remainingStartsWith(int codePoint) {
    return at(pointer + 1) == codePoint;
  }

  private Step go(State next) {
    state = next;
    return Step.GO_ON;
  }

  /** Changes to a state that processes the same code point again. */
  private Step again(State next) {
    pointer--;
    return go(next);
  }

  private String takeBuffer() {
    String taken = buffer.toString();
    buffer.setLength(0);
    return taken;
  }

  private boolean isSpecial() {
    return UrlRecord.isSpecialScheme(scheme);
  }

  private boolean isSlash() {
    return c == '/' || c == '\\';
  }

  private boolean isSlashHere() {
    return c == '/' || c == '\\' && isSpecial();
  }

  private boolean endsAuthority() {
    return c == EOF || c == '?' || c == '#' || isSlashHere();
  }

  private static boolean isAlpha(int c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private Step toQuery() {
    query = new StringBuilder();
    return go(State.QUERY);
  }

  private Step toFragment() {
    fragment = new StringBuilder();
    return go(State.FRAGMENT);
  }

  private void copyAuthority(UrlRecord from) {
    username.setLength(0);
    username.append(from.username());
    password.setLength(0);
    password.append(from.password());
    host = from.host();
    port = from.port();
  }

  private void copyPath(UrlRecord from) {
    switch (from.path()) {
      case UrlPath.Opaque(String text) -> opaquePath = new StringBuilder(text);
      case UrlPath.Segments(List<String> list) -> path = new ArrayList<>(list);
    }
  }

  /** Returns the base, which is never null in the states that need it. */
  private UrlRecord requireBase() {
    if (base == null) {
      throw new IllegalStateException(state + " without a base");
    }
    return base;
  }

  /** <a href="https://url.spec.whatwg.org/#scheme-start-state">scheme start state</a> */
  private Step schemeStart() {
    if (isAlpha(c)) { // 1
      buffer.append((char) (c | 0x20));
      return go(State.SCHEME);
    }
    return override == null ? again(State.NO_SCHEME) : Step.FAILURE; // 2 and 3
  }

  /** <a href="https://url.spec.whatwg.org/#scheme-state">scheme state</a> */
  private Step scheme() {
    if (isAlpha(c) || isDigit(c) || c == '+' || c == '-' || c == '.') { // 1
      buffer.append(isAlpha(c) ? (char) (c | 0x20) : (char) c);
      return Step.GO_ON;
    }
    if (c != ':') {
      if (override != null) { // 4
        return Step.FAILURE;
      }
      buffer.setLength(0); // 3
      pointer = -1;
      return go(State.NO_SCHEME);
    }
    if (override != null) { // 2.1
      String changed = buffer.toString();
      boolean hasAuthority = username.length() > 0 || password.length() > 0 || port >= 0;
      if (isSpecial() != UrlRecord.isSpecialScheme(changed)
          || changed.equals("file") && hasAuthority
          || scheme.equals("file") && "".equals(host)) {
        return Step.RETURN;
      }
    }
    scheme = takeBuffer(); // 2.2 and 2.4
    if (override != null) { // 2.3
      if (port == UrlRecord.defaultPort(scheme)) {
        port = -1;
      }
      return Step.RETURN;
    }
    if (scheme.equals("file")) { // 2.5
      return go(State.FILE);
    }
    if (isSpecial()) { // 2.6 and 2.7
      return go(
          base != null && base.scheme().equals(scheme)
              ? State.SPECIAL_RELATIVE_OR_AUTHORITY
              : State.SPECIAL_AUTHORITY_SLASHES);
    }
    if (remainingStartsWith('/')) { // 2.8
      pointer++;
      return go(State.PATH_OR_AUTHORITY);
    }
    opaquePath = new StringBuilder(); // 2.9
    return go(State.OPAQUE_PATH);
  }

  /** <a href="https://url.spec.whatwg.org/#no-scheme-state">no scheme state</a> */
  private Step noScheme() {
    if (base == null || base.hasOpaquePath() && c != '#') { // 1
      return Step.FAILURE;
    }
    if (base.hasOpaquePath()) { // 2
      scheme = base.scheme();
      copyPath(base);
      query = builder(base.query());
      return toFragment();
    }
    return again(base.scheme().equals("file") ? State.FILE : State.RELATIVE); // 3 and 4
  }

  /**
   * <a href="https://url.spec.whatwg.org/#special-relative-or-authority-state">special relative or
   * authority state</a>
   */
  private Step specialRelativeOrAuthority() {
    if (c == '/' && remainingStartsWith('/')) {
      pointer++;
      return go(State.SPECIAL_AUTHORITY_IGNORE_SLASHES);
    }
    return again(State.RELATIVE);
  }

  /** <a href="https://url.spec.whatwg.org/#path-or-authority-state">path or authority state</a> */
  private Step pathOrAuthority() {
    return c == '/' ? go(State.AUTHORITY) : again(State.PATH);
  }

  /** <a href="https://url.spec.whatwg.org/#relative-state">relative state</a> */
  private Step relative() {
    UrlRecord from = requireBase();
    scheme = from.scheme(); // 2
    if (isSlashHere()) { // 3 and 4
      return go(State.RELATIVE_SLASH);
    }
    copyAuthority(from); // 5.1
    copyPath(from);
    query = builder(from.query());
    if (c == '?') { // 5.2
      return toQuery();
    }
    if (c == '#') { // 5.3
      return toFragment();
    }
    if (c == EOF) {
      return Step.GO_ON;
    }
    query = null; // 5.4
    shortenPath();
    return again(State.PATH);
  }

  /** <a href="https://url.spec.whatwg.org/#relative-slash-state">relative slash state</a> */
  private Step relativeSlash() {
    if (isSpecial() && isSlash()) { // 1
      return go(State.SPECIAL_AUTHORITY_IGNORE_SLASHES);
    }
    if (c == '/') { // 2
      return go(State.AUTHORITY);
    }
    copyAuthority(requireBase()); // 3
    return again(State.PATH);
  }

  /**
   * <a href="https://url.spec.whatwg.org/#special-authority-slashes-state">special authority
   * slashes state</a>
   */
  private Step specialAuthoritySlashes() {
    if (c == '/' && remainingStartsWith('/')) {
      pointer++;
      return go(State.SPECIAL_AUTHORITY_IGNORE_SLASHES);
    }
    return again(State.SPECIAL_AUTHORITY_IGNORE_SLASHES);
  }

  /**
   * <a href="https://url.spec.whatwg.org/#special-authority-ignore-slashes-state">special authority
   * ignore slashes state</a>
   */
  private Step specialAuthorityIgnoreSlashes() {
    return isSlash() ? Step.GO_ON : again(State.AUTHORITY);
  }

  /** <a href="https://url.spec.whatwg.org/#authority-state">authority state</a> */
  private Step authority() {
    if (c == '@') { // 1
      if (atSignSeen) { // 1.2
        buffer.insert(0, "%40");
      }
      atSignSeen = true;
      takeBuffer()
          .codePoints()
          .forEach(codePoint -> { // 1.4 to 1.6
            if (codePoint == ':' && !passwordTokenSeen) {
              passwordTokenSeen = true;
            } else {
              PercentEncoding.utf8PercentEncode(
                  codePoint, PercentEncodeSet.USERINFO, passwordTokenSeen ? password : username);
            }
          });
    } else if (endsAuthority()) { // 2
      if (atSignSeen && buffer.isEmpty()) {
        return Step.FAILURE;
      }
      pointer -= buffer.codePointCount(0, buffer.length()) + 1;
      buffer.setLength(0);
      return go(State.HOST);
    } else { // 3
      buffer.appendCodePoint(c);
    }
    return Step.GO_ON;
  }

  /** <a href="https://url.spec.whatwg.org/#host-state">host state and hostname state</a> */
  private Step host() {
    if (override != null && scheme.equals("file")) { // 1
      return again(State.FILE_HOST);
    }
    if (c == ':' && !insideBrackets) { // 2
      if (buffer.isEmpty() || override == State.HOSTNAME) { // 2.1 and 2.2
        return Step.FAILURE;
      }
      return parseHost() ? go(State.PORT) : Step.FAILURE; // 2.3 to 2.5
    }
    if (endsAuthority()) { // 3
      pointer--;
      if (buffer.isEmpty()) {
        boolean hasAuthority = username.length() > 0 || password.length() > 0 || port >= 0;
        if (isSpecial() || override != null && hasAuthority) { // 3.1 and 3.2
          return Step.FAILURE;
        }
      }
      if (!parseHost()) { // 3.3 to 3.5
        return Step.FAILURE;
      }
      state = State.PATH_START;
      return override == null ? Step.GO_ON : Step.RETURN; // 3.6
    }
    if (c == '[') { // 4
      insideBrackets = true;
    } else if (c == ']') {
      insideBrackets = false;
    }
    buffer.appendCodePoint(c);
    return Step.GO_ON;
  }

  /** Parses the buffer as the host; returns false on failure. */
  private boolean parseHost() {
    String parsed = HostParser.parse(buffer.toString(), !isSpecial());
    if (parsed == null) {
      return false;
    }
    host = parsed;
    buffer.setLength(0);
    return true;
  }

  /** <a href="https://url.spec.whatwg.org/#port-state">port state</a> */
  private Step port() {
    if (isDigit(c)) { // 1
      buffer.append((char) c);
      return Step.GO_ON;
    }
    if (!endsAuthority() && override == null) { // 3
      return Step.FAILURE;
    }
    if (!buffer.isEmpty()) { // 2.1
      int number = 0;
      for (int i = 0; i < buffer.length(); i++) {
        number = number * 10 + (buffer.charAt(i) - '0');
        if (number > 65535) {
          return Step.FAILURE;
        }
      }
      port = number == UrlRecord.defaultPort(scheme) ? -1 : number;
      buffer.setLength(0);
      if (override != null) {
        return Step.RETURN;
      }
    }
    return override == null ? again(State.PATH_START) : Step.FAILURE; // 2.2 and 2.3
  }

  /** <a href="https://url.spec.whatwg.org/#file-state">file state</a> */
  private Step file() {
    scheme = "file"; // 1
    host = ""; // 2
    if (isSlash()) { // 3
      return go(State.FILE_SLASH);
    }
    if (base == null || !base.scheme().equals("file")) { // 5
      return again(State.PATH);
    }
    host = base.host(); // 4
    copyPath(base);
    query = builder(base.query());
    if (c == '?') {
      return toQuery();
    }
    if (c == '#') {
      return toFragment();
    }
    if (c == EOF) {
      return Step.GO_ON;
    }
    query = null; // 4.4
    if (startsWithWindowsDriveLetter()) {
      path.clear();
    } else {
      shortenPath();
    }
    return again(State.PATH);
  }

  /** <a href="https://url.spec.whatwg.org/#file-slash-state">file slash state</a> */
  private Step fileSlash() {
    if (isSlash()) { // 1
      return go(State.FILE_HOST);
    }
    if (base != null && base.scheme().equals("file")) { // 2.1
      host = base.host();
      if (!startsWithWindowsDriveLetter()
          && base.path() instanceof UrlPath.Segments(List<String> list)
          && !list.isEmpty()
          && isNormalizedWindowsDriveLetter(list.getFirst())) {
        path.add(list.getFirst());
      }
    }
    return again(State.PATH); // 2.2
  }

  /** <a href="https://url.spec.whatwg.org/#file-host-state">file host state</a> */
  private Step fileHost() {
    if (c != EOF && !isSlash() && c != '?' && c != '#') { // 2
      buffer.appendCodePoint(c);
      return Step.GO_ON;
    }
    pointer--; // 1
    if (override == null && isWindowsDriveLetter(buffer)) { // 1.1
      return go(State.PATH);
    }
    if (buffer.isEmpty()) { // 1.2
      host = "";
    } else { // 1.3
      if (!parseHost()) {
        return Step.FAILURE;
      }
      if ("localhost".equals(host)) {
        host = "";
      }
    }
    return override == null ? go(State.PATH_START) : Step.RETURN;
  }

  /** <a href="https://url.spec.whatwg.org/#path-start-state">path start state</a> */
  private Step pathStart() {
    if (isSpecial()) { // 1
      return isSlash() ? go(State.PATH) : again(State.PATH);
    }
    if (override == null && c == '?') { // 2
      return toQuery();
    }
    if (override == null && c == '#') { // 3
      return toFragment();
    }
    if (c != EOF) { // 4
      return c == '/' ? go(State.PATH) : again(State.PATH);
    }
    if (override != null && host == null) { // 5
      path.add("");
    }
    return Step.GO_ON;
  }

  /** <a href="https://url.spec.whatwg.org/#path-state">path state</a> */
  private Step path() {
    boolean endsPath = override == null && (c == '?' || c == '#');
    if (c != EOF && !isSlashHere() && !endsPath) { // 2
      PercentEncoding.utf8PercentEncode(c, PercentEncodeSet.PATH, buffer);
      return Step.GO_ON;
    }
    String segment = takeBuffer(); // 1
    if (isDoubleDot(segment)) { // 1.2
      shortenPath();
      if (!isSlashHere()) {
        path.add("");
      }
    } else if (isSingleDot(segment)) { // 1.3
      if (!isSlashHere()) {
        path.add("");
      }
    } else { // 1.4
      boolean isDrive = scheme.equals("file") && path.isEmpty() && isWindowsDriveLetter(segment);
      path.add(isDrive ? segment.charAt(0) + ":" : segment);
    }
    if (endsPath) { // 1.6 and 1.7
      return c == '?' ? toQuery() : toFragment();
    }
    return Step.GO_ON;
  }

  /**
   * <a href="https://url.spec.whatwg.org/#cannot-be-a-base-url-path-state">opaque path state</a>
   */
  private Step opaquePath() {
    if (c == '?') { // 1
      return toQuery();
    }
    if (c == '#') { // 2
      return toFragment();
    }
    if (c != EOF && opaquePath != null) {
      if (c == ' ' && (remainingStartsWith('?') || remainingStartsWith('#'))) { // 3
        opaquePath.append("%20");
      } else { // 4
        PercentEncoding.utf8PercentEncode(c, PercentEncodeSet.C0_CONTROL, opaquePath);
      }
    }
    return Step.GO_ON;
  }

  /** <a href="https://url.spec.whatwg.org/#query-state">query state</a> */
  private Step query() {
    // 1
    QueryEncoding other =
        isSpecial() && !scheme.equals("ws") && !scheme.equals("wss") ? encoding : null;
    PercentEncodeSet set = isSpecial() ? PercentEncodeSet.SPECIAL_QUERY : PercentEncodeSet.QUERY;
    boolean isAtEnd = c == EOF || c == '#' && override == null;
    if (isAtEnd && other != null && query != null) { // 2.1 to 2.3
      PercentEncoding.percentEncodeAfterEncoding(other, takeBuffer(), set, query);
    }
    if (isAtEnd) {
      return c == EOF ? Step.GO_ON : toFragment(); // 2.4
    }
    if (other != null) { // 3
      buffer.appendCodePoint(c);
    } else if (query != null) { // 3, and 2.2 for one code point
      PercentEncoding.utf8PercentEncode(c, set, query);
    }
    return Step.GO_ON;
  }

  /** <a href="https://url.spec.whatwg.org/#fragment-state">fragment state</a> */
  private Step fragment() {
    if (c != EOF && fragment != null) {
      PercentEncoding.utf8PercentEncode(c, PercentEncodeSet.FRAGMENT, fragment);
    }
    return Step.GO_ON;
  }

  /** <a href="https://url.spec.whatwg.org/#shorten-a-urls-path">shorten a URL's path</a> */
  private void shortenPath() {
    boolean isDriveAlone =
        scheme.equals("file")
            && path.size() == 1
            && isNormalizedWindowsDriveLetter(path.getFirst());
    if (!path.isEmpty() && !isDriveAlone) {
      path.removeLast();
    }
  }

  /** <a href="https://url.spec.whatwg.org/#windows-drive-letter">Windows drive letter</a> */
  private static boolean isWindowsDriveLetter(CharSequence text) {
    return text.length() == 2
        && isAlpha(text.charAt(0))
        && (text.charAt(1) == ':' || text.charAt(1) == '|');
  }

  private static boolean isNormalizedWindowsDriveLetter(String text) {
    return isWindowsDriveLetter(text) && text.charAt(1) == ':';
  }

  /**
   * Returns whether the input from the pointer on <a
   * href="https://url.spec.whatwg.org/#start-with-a-windows-drive-letter">starts with a Windows
   * drive letter</a>.
   */
  private boolean startsWithWindowsDriveLetter() {
    int second = at(pointer + 1);
    int third = at(pointer + 2);
    return isAlpha(c)
        && (second == ':' || second == '|')
        && (third == EOF || third == '/' || third == '\\' || third == '?' || third == '#');
  }

  /** <a href="https://url.spec.whatwg.org/#single-dot-path-segment">single-dot segment</a> */
  private static boolean isSingleDot(String segment) {
    return segment.equals(".") || segment.equalsIgnoreCase("%2e");
  }

  /** <a href="https://url.spec.whatwg.org/#double-dot-path-segment">double-dot segment</a> */
  private static boolean isDoubleDot(String segment) {
    return segment.length() <= 6
        && segment.toLowerCase(Locale.ROOT).replace("%2e", ".").equals("..");
  }
}
