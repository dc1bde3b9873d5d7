package dev.weblocks.xhr;

import dev.weblocks.agent.Actor;
import dev.weblocks.agent.EventLoop;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.dom.Event;
import dev.weblocks.fetch.Body;
import dev.weblocks.fetch.FetchController;
import dev.weblocks.fetch.FetchRequest;
import dev.weblocks.fetch.FetchResponse;
import dev.weblocks.fetch.Fetcher;
import dev.weblocks.fetch.HeaderList;
import dev.weblocks.fetch.HttpText;
import dev.weblocks.fetch.MimeType;
import dev.weblocks.fetch.NetworkErrorException;
import dev.weblocks.fetch.RequestRules;
import dev.weblocks.file.ByteSequence;
import dev.weblocks.global.GlobalScope;
import dev.weblocks.url.UrlRecord;
import java.util.concurrent.TimeoutException;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The {@code XMLHttpRequest} interface. A response is received whole, so the body is one chunk. An
 * asynchronous request processes the head, the chunk and the end in one task each.
 *
 * @see <a href="https://xhr.spec.whatwg.org/#interface-xmlhttprequest">XMLHttpRequest Standard</a>
 */
final class XMLHttpRequest extends XMLHttpRequestEventTarget {

  /** <a href="https://xhr.spec.whatwg.org/#concept-xmlhttprequest-state">state</a> */
  private enum State {
    UNSENT,
    OPENED,
    HEADERS_RECEIVED,
    LOADING,
    DONE
  }

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final XMLHttpRequestUpload upload;
  private State state = State.UNSENT;
  private boolean sendFlag;
  private long timeoutMillis;
  private boolean crossOriginCredentials;
  private @Nullable FetchRequest request;
  private HeaderList authorRequestHeaders = new HeaderList();
  private @Nullable ByteSequence requestBody;
  private boolean synchronous;
  private boolean uploadComplete;
  private boolean uploadListener;
  private boolean timedOut;

  private final ReceivedResponse response;

  private @Nullable Sending sending;

  private XMLHttpRequest(Realm realm) {
    super(realm);
    this.upload = new XMLHttpRequestUpload(realm);
    this.response = new ReceivedResponse(realm);
  }

  private static String executing(String operation) {
    return "Failed to execute '" + operation + "' on 'XMLHttpRequest': ";
  }

  private static ScriptException invalidState(String message) {
    return ScriptException.dom("InvalidStateError", message);
  }

  private boolean isInWindow() {
    return realm().settings().globalNames().contains("Window");
  }

  private void fireReadyStateChange() {
    fire(new Event(realm(), "readystatechange", false, false));
  }

  /** <a href="https://xhr.spec.whatwg.org/#dom-xmlhttprequest-open">open()</a> */
  private void open(Arguments args) {
    String attempt = executing("open");
    if (!GlobalScope.of(realm()).isFullyActive()) { // 1
      throw invalidState(attempt + "The document is not fully active.");
    }
    String method = args.string(0);
    if (!HttpText.isToken(method)) { // 2
      throw ScriptException.dom(
          "SyntaxError", attempt + "'" + method + "' is not a valid HTTP method.");
    }
    if (RequestRules.isForbiddenMethod(method)) { // 3
      throw ScriptException.dom(
          "SecurityError", attempt + "'" + method + "' HTTP method is unsupported.");
    }
    method = RequestRules.normalizeMethod(method); // 4
    UrlRecord url = GlobalScope.of(realm()).encodingParse(args.string(1)); // 5
    if (url == null) { // 6
      throw ScriptException.dom("SyntaxError", attempt + "Invalid URL");
    }
    boolean async = args.overload() == 0 || args.bool(2); // 7
    if (args.overload() == 1 && url.host() != null) { // 8
      url = url.withCredentials(args.stringOrNull(3), args.stringOrNull(4));
    }
    if (!async && isInWindow()) { // 9
      if (timeoutMillis != 0) {
        throw ScriptException.dom(
            "InvalidAccessError",
            attempt + "Synchronous requests from a document must not set a timeout.");
      }
      if (!response.type().isEmpty()) {
        throw ScriptException.dom(
            "InvalidAccessError",
            attempt + "Synchronous requests from a document must not set a response type.");
      }
    }
    terminate(); // 10
    sendFlag = false; // 11
    uploadListener = false;
    request =
        FetchRequest.to(url)
            .method(method)
            .mode(FetchRequest.Mode.CORS)
            .unsafeRequest(true)
            .build()
            .resolveBlobUrl(realm().agent().userAgent());
    requestBody = null;
    synchronous = !async;
    authorRequestHeaders = new HeaderList();
    response.become(null);
    if (state != State.OPENED) { // 12
      state = State.OPENED;
      fireReadyStateChange();
    }
  }

  /** Aborts the asynchronous fetch under way, if there is one; its callbacks become no-ops. */
  private void terminate() {
    Sending current = sending;
    if (current != null) {
      current.forget();
      current.controller().abort();
    }
  }

  private void requireOpenedAndUnsent(String attempt) {
    if (state != State.OPENED || sendFlag) {
      throw invalidState(attempt + "The object's state must be OPENED.");
    }
  }

  /**
   * <a href="https://xhr.spec.whatwg.org/#dom-xmlhttprequest-setrequestheader">setRequestHeader()
   * </a>
   */
  private void setRequestHeader(Arguments args) {
    String attempt = executing("setRequestHeader");
    requireOpenedAndUnsent(attempt); // 1, 2
    String name = args.string(0);
    String value = HttpText.normalize(args.string(1)); // 3
    if (!HttpText.isToken(name)) { // 4
      throw ScriptException.dom(
          "SyntaxError", attempt + "'" + name + "' is not a valid HTTP header field name.");
    }
    if (!HttpText.isHeaderValue(value)) {
      throw ScriptException.dom(
          "SyntaxError", attempt + "'" + value + "' is not a valid HTTP header field value.");
    }
    if (!RequestRules.isForbiddenHeader(name, value)) { // 5
      authorRequestHeaders.combine(name, value); // 6
    }
  }

  /** <a href="https://xhr.spec.whatwg.org/#dom-xmlhttprequest-timeout">timeout</a> */
  private void setTimeout(Arguments args) {
    if (isInWindow() && synchronous) { // 1
      throw ScriptException.dom(
          "InvalidAccessError",
          "Failed to set the 'timeout' property on 'XMLHttpRequest': Timeouts cannot be set for"
              + " synchronous requests made from a document.");
    }
    timeoutMillis = (long) args.number(0); // 2
    if (sending != null) {
      sending.armTimeout();
    }
  }

  /**
   * <a href="https://xhr.spec.whatwg.org/#dom-xmlhttprequest-withcredentials">withCredentials</a>
   */
  private void setWithCredentials(Arguments args) {
    if ((state != State.UNSENT && state != State.OPENED) || sendFlag) { // 1, 2
      throw invalidState(
          "Failed to set the 'withCredentials' property on 'XMLHttpRequest': The value may only be"
              + " set if the object's state is UNSENT or OPENED.");
    }
    crossOriginCredentials = args.bool(0); // 3
  }

  /** <a href="https://xhr.spec.whatwg.org/#dom-xmlhttprequest-send">send()</a> */
  private void send(Arguments args) {
    FetchRequest opened = request;
    requireOpenedAndUnsent(executing("send")); // 1, 2
    if (opened == null) {
      throw new IllegalStateException("a request is open without a URL");
    }
    Value body = args.nullable(0);
    boolean takesNone = opened.method().equals("GET") || opened.method().equals("HEAD"); // 3
    if (body != null && !takesNone) { // 4
      setBody(body);
    }
    uploadListener = upload.hasListeners(); // 5
    FetchRequest req = // 6
        opened.toBuilder()
            .headers(authorRequestHeaders.entries())
            .body(requestBody)
            .useCorsPreflight(uploadListener)
            .useUrlCredentials(opened.currentUrl().includesCredentials())
            .credentials(
                crossOriginCredentials
                    ? FetchRequest.Credentials.INCLUDE
                    : FetchRequest.Credentials.SAME_ORIGIN)
            .build();
    uploadComplete = requestBody == null; // 7, 9
    timedOut = false; // 8
    sendFlag = true; // 10
    if (synchronous) {
      sendAndWait(req); // 12
    } else {
      sendAndGoOn(req); // 11
    }
  }

  /** Runs step 4 of send(). */
  private void setBody(Value body) {
    Body.WithType extracted = Body.extract(binding(), body); // 4.3
    requestBody = extracted.source();
    String original = authorRequestHeaders.get("Content-Type"); // 4.4
    if (original == null) { // 4.6
      if (extracted.type() != null) {
        authorRequestHeaders.set("Content-Type", extracted.type());
      }
    } else if (body.isString()) { // 4.5
      MimeType type = MimeType.parse(original);
      String charset = type == null ? null : type.parameters().get("charset");
      if (type != null && charset != null && !charset.equalsIgnoreCase("UTF-8")) {
        type.parameters().put("charset", "UTF-8");
        authorRequestHeaders.set("Content-Type", type.serialize());
      }
    }
  }

  /** Runs step 11 of send(). */
  private void sendAndGoOn(FetchRequest req) {
    ProgressEvents.fire(this, "loadstart", 0, 0); // 11.1
    long length = requestBody == null ? 0 : requestBody.size();
    if (!uploadComplete && uploadListener) { // 11.5
      ProgressEvents.fire(upload, "loadstart", 0, length);
    }
    if (state != State.OPENED || !sendFlag) { // 11.6
      return;
    }
    terminate(); // the fetch of a listener above that has opened and sent this anew
    sending = new Sending(req); // 11.10
    sending.armTimeout(); // 11.12
  }

  /** Runs step 12 of send(). */
  private void sendAndWait(FetchRequest req) {
    FetchResponse answer = null;
    try {
      answer =
          Fetcher.fetchAndWait(
              realm(), req, timeoutMillis == 0 ? Actor.NEVER : timeoutMillis * NANOS_PER_MILLI);
    } catch (NetworkErrorException networkError) {
      // handled below, as the answer is null
    } catch (TimeoutException reached) { // 12.6
      timedOut = true;
    }
    response.become(answer);
    if (answer != null && answer.body() != null) {
      response.receive(answer.body());
    }
    handleResponseEndOfBody(); // 12.8
  }

  /** One asynchronous fetch. Its callbacks are no-ops unless it is the object's current fetch. */
  private final class Sending {
    private final FetchController controller;
    private final long start;
    private EventLoop.@Nullable Timer timer;

    Sending(FetchRequest request) {
      this.start = now();
      this.controller =
          Fetcher.fetchFor(realm(), request, this::onResponse, reason -> onNetworkError());
    }

    FetchController controller() {
      return controller;
    }

    private long now() {
      return realm().agent().clock().nanoTime();
    }

    void forget() {
      cancelTimer();
      sending = null;
    }

    private void cancelTimer() {
      if (timer != null) {
        realm().agent().eventLoop().cancelTimer(timer);
        timer = null;
      }
    }

    /** Runs step 11.12 of send(). The timeout counts from the fetch's start, even if set later. */
    void armTimeout() {
      cancelTimer();
      if (timeoutMillis != 0) {
        long left = Math.max(0, timeoutMillis * NANOS_PER_MILLI - (now() - start));
        EventLoop.Timer[] armed = new EventLoop.Timer[1];
        armed[0] =
            realm()
                .agent()
                .eventLoop()
                .startTimer(
                    left, () -> queue("timeout of XMLHttpRequest", () -> onTimeout(armed[0])));
        timer = armed[0];
      }
    }

    private void queue(String label, Runnable steps) {
      realm()
          .queueTask(
              TaskSource.NETWORKING,
              label,
              () -> {
                if (sending == this) {
                  steps.run();
                }
              });
    }

    private void onTimeout(EventLoop.Timer due) {
      if (timer != due) {
        return; // cancelled or replaced meanwhile
      }
      timedOut = true;
      controller.abort();
      onNetworkError();
    }

    private void onNetworkError() {
      if (sending == this) {
        forget();
        response.become(null);
        handleErrors();
      }
    }

    private void onResponse(FetchResponse made) {
      if (sending != this) {
        return;
      }
      if (uploadComplete) {
        processResponse(made);
      } else {
        queue("upload of XMLHttpRequest", XMLHttpRequest.this::processRequestEndOfBody);
        queue("response of XMLHttpRequest", () -> processResponse(made));
      }
    }

    /** Runs step 11.9 of send(). */
    private void processResponse(FetchResponse made) {
      response.become(made); // 1
      state = State.HEADERS_RECEIVED; // 4
      fireReadyStateChange(); // 5
      if (sending != this || state != State.HEADERS_RECEIVED) { // 6
        return;
      }
      ByteSequence body = made.body();
      if (body == null) { // 7
        processEndOfBody();
        return;
      }
      if (body.size() > 0) {
        queue("body of XMLHttpRequest", () -> processBodyChunk(body));
      }
      queue("end of XMLHttpRequest", this::processEndOfBody);
    }

    /** Runs step 11.9.10 of send(). */
    private void processBodyChunk(ByteSequence bytes) {
      response.receive(bytes); // 1
      state = State.LOADING; // 3
      fireReadyStateChange(); // 4
      if (sending == this) {
        ProgressEvents.fire(XMLHttpRequest.this, "progress", bytes.size(), response.length()); // 5
      }
    }

    /** Runs step 11.9.11 of send(). */
    private void processEndOfBody() {
      forget();
      handleResponseEndOfBody();
    }
  }

  /** Runs step 11.8 of send(). */
  private void processRequestEndOfBody() {
    uploadComplete = true; // 1
    if (uploadListener && requestBody != null) { // 2
      long length = requestBody.size();
      ProgressEvents.fire(upload, "progress", length, length); // 3
      ProgressEvents.fire(upload, "load", length, length); // 4
      ProgressEvents.fire(upload, "loadend", length, length); // 5
    }
  }

  /**
   * <a href="https://xhr.spec.whatwg.org/#handle-response-end-of-body">handle response
   * end-of-body</a>
   */
  private void handleResponseEndOfBody() {
    handleErrors(); // 1
    if (response.isNetworkError()) { // 2
      return;
    }
    long transmitted = response.size(); // 3
    long length = response.length(); // 4, 5
    if (!synchronous) { // 6
      ProgressEvents.fire(this, "progress", transmitted, length);
    }
    state = State.DONE; // 7
    sendFlag = false; // 8
    fireReadyStateChange(); // 9
    ProgressEvents.fire(this, "load", transmitted, length); // 10
    ProgressEvents.fire(this, "loadend", transmitted, length); // 11
  }

  /** <a href="https://xhr.spec.whatwg.org/#handle-errors">handle errors</a> */
  private void handleErrors() {
    if (!sendFlag) { // 1
      return;
    }
    if (timedOut) { // 2
      requestErrorSteps("timeout", "TimeoutError");
    } else if (response.isNetworkError()) { // 4; an aborted fetch never gets here
      requestErrorSteps("error", "NetworkError");
    }
  }

  /** <a href="https://xhr.spec.whatwg.org/#request-error-steps">request error steps</a> */
  private void requestErrorSteps(String event, String exception) {
    state = State.DONE; // 1
    sendFlag = false; // 2
    response.become(null); // 3
    if (synchronous) { // 4
      String url = request == null ? "" : request.currentUrl().href();
      throw ScriptException.dom(exception, executing("send") + "Failed to load '" + url + "'.");
    }
    fireReadyStateChange(); // 5
    if (!uploadComplete) { // 6
      uploadComplete = true;
      if (uploadListener) {
        ProgressEvents.fire(upload, event, 0, 0);
        ProgressEvents.fire(upload, "loadend", 0, 0);
      }
    }
    ProgressEvents.fire(this, event, 0, 0); // 7
    ProgressEvents.fire(this, "loadend", 0, 0); // 8
  }

  /** <a href="https://xhr.spec.whatwg.org/#dom-xmlhttprequest-abort">abort()</a> */
  private void abort() {
    terminate(); // 1
    if ((state == State.OPENED && sendFlag)
        || state == State.HEADERS_RECEIVED
        || state == State.LOADING) { // 2
      requestErrorSteps("abort", "AbortError");
    }
    if (state == State.DONE) { // 3
      state = State.UNSENT;
      response.become(null);
    }
  }

  /**
   * <a
   * href="https://xhr.spec.whatwg.org/#dom-xmlhttprequest-overridemimetype">overrideMimeType()</a>
   */
  private void overrideMimeType(String mime) {
    if (state == State.LOADING || state == State.DONE) { // 1
      throw invalidState(
          executing("overrideMimeType")
              + "MimeType cannot be overridden when the state is LOADING or DONE.");
    }
    response.overrideMimeType(mime); // 2, 3
  }

  /** <a href="https://xhr.spec.whatwg.org/#dom-xmlhttprequest-responsetype">responseType</a> */
  private void setResponseType(Arguments args) {
    String attempt = "Failed to set the 'responseType' property on 'XMLHttpRequest': ";
    if (state == State.LOADING || state == State.DONE) { // 2
      throw invalidState(
          attempt + "The response type cannot be set if the object's state is LOADING or DONE.");
    }
    if (isInWindow() && synchronous) { // 3
      throw ScriptException.dom(
          "InvalidAccessError",
          attempt
              + "The response type cannot be changed for synchronous requests made from a"
              + " document.");
    }
    response.setType(args.string(0)); // 4
  }

  /** <a href="https://xhr.spec.whatwg.org/#dom-xmlhttprequest-response">response</a> */
  private @Nullable Object response() {
    if (response.isText()) { // 1
      return responseText();
    }
    return state == State.DONE ? response.object() : null; // 2 to 9
  }

  /** <a href="https://xhr.spec.whatwg.org/#dom-xmlhttprequest-responsetext">responseText</a> */
  private String responseText() {
    if (!response.isText()) { // 1
      throw invalidState(
          "Failed to read the 'responseText' property from 'XMLHttpRequest': The value is only"
              + " accessible if the object's 'responseType' is '' or 'text' (was '"
              + response.type()
              + "').");
    }
    return state == State.LOADING || state == State.DONE ? response.text() : ""; // 2, 3
  }

  static void define(Implementations implementations) {
    implementations
        .implement("XMLHttpRequest", XMLHttpRequest.class)
        .constructor((realm, args) -> new XMLHttpRequest(realm))
        .getter("readyState", self -> self.state.ordinal())
        .action("open", XMLHttpRequest::open)
        .action("setRequestHeader", XMLHttpRequest::setRequestHeader)
        .getter("timeout", self -> self.timeoutMillis)
        .setter("timeout", XMLHttpRequest::setTimeout)
        .getter("withCredentials", self -> self.crossOriginCredentials)
        .setter("withCredentials", XMLHttpRequest::setWithCredentials)
        .getter("upload", self -> self.upload)
        .action("send", XMLHttpRequest::send)
        .action("abort", (self, args) -> self.abort())
        .getter("responseURL", self -> self.response.url())
        .getter("status", self -> self.response.status())
        .getter("statusText", self -> self.response.statusText())
        .operation("getResponseHeader", (self, args) -> self.response.header(args.string(0)))
        .operation("getAllResponseHeaders", (self, args) -> self.response.allHeaders())
        .action("overrideMimeType", (self, args) -> self.overrideMimeType(args.string(0)))
        .getter("responseType", self -> self.response.type())
        .setter("responseType", XMLHttpRequest::setResponseType)
        .getter("response", XMLHttpRequest::response)
        .getter("responseText", XMLHttpRequest::responseText);
  }
}
