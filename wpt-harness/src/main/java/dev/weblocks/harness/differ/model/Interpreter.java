package dev.weblocks.harness.differ.model;

import dev.weblocks.harness.differ.model.JsValues.ErrorObject;
import dev.weblocks.harness.differ.model.JsValues.Primitive;
import dev.weblocks.harness.differ.model.JsValues.Signal;
import dev.weblocks.harness.differ.model.JsValues.ThenableObject;
import dev.weblocks.harness.differ.model.JsValues.Thrown;
import dev.weblocks.harness.differ.model.Statement.Callback;
import dev.weblocks.harness.differ.model.Statement.Key;
import dev.weblocks.harness.differ.model.Statement.Member;
import dev.weblocks.harness.differ.model.Statement.Name;
import dev.weblocks.harness.differ.model.Statement.Options;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Runs the statements of a program as an engine runs their JavaScript. */
final class Interpreter implements ModelPromise.Script {

  /** The realms and event loops of a run. */
  interface World {
    void log(ModelRealm realm, String line);

    void timer(ModelRealm realm, Runnable steps);

    void send(ModelRealm from, String to, int message);

    void start(ModelRealm from, String realm);

    void end(ModelRealm from, String realm);

    void close(ModelRealm worker);
  }

  /** The scope of a function: its realm, and the argument of the innermost lock callback. */
  private record Scope(ModelRealm realm, Object lock) {}

  /** The converted options of a request. */
  private record Converted(
      boolean ifAvailable, String mode, @Nullable Signal signal, boolean steal) {}

  private final World world;
  private final LockQueue locks;
  private final Set<Deviation> deviations;

  Interpreter(World world, LockQueue.Host host, Set<Deviation> deviations) {
    this.world = world;
    this.locks = new LockQueue(host, this, deviations);
    this.deviations = deviations;
  }

  LockQueue locks() {
    return locks;
  }

  /** Runs the body of a realm or of a message handler. */
  void run(ModelRealm realm, List<Statement> body) {
    run(new Scope(realm, Primitive.UNDEFINED), body);
  }

  private void run(Scope scope, List<Statement> body) {
    body.forEach(each -> run(scope, each));
  }

  private void run(Scope scope, Statement statement) {
    ModelRealm realm = scope.realm();
    switch (statement) {
      case Statement.Log log -> log(realm, log.id(), "");
      case Statement.Request request -> {
        ModelPromise promise = request(scope, request);
        realm.requests.put(request.id(), promise);
        promise.then(
            this,
            realm,
            value -> log(realm, request.id(), " fulfilled " + JsValues.show(value, realm)),
            reason -> log(realm, request.id(), " rejected " + JsValues.error(reason, realm)));
      }
      case Statement.Query query -> query(realm, query);
      case Statement.Abort abort -> {
        String reason = abort.reason();
        realm
            .signals
            .get(abort.controller() - 1)
            .abort(reason == null ? realm.error("AbortError") : reason);
      }
      case Statement.OnAbort on -> {
        Signal signal = realm.signals.get(on.controller() - 1);
        signal.listeners.add(() -> {
          log(realm, on.id(), " abort " + JsValues.error(signal.reason, realm));
          run(scope, on.body());
        });
      }
      case Statement.Settle settle -> {
        ModelPromise.Resolver deferred = realm.deferreds.get(settle.deferred() - 1).resolver();
        Object value = evaluate(scope, settle.value());
        if (settle.rejects()) {
          deferred.reject(value);
        } else {
          deferred.resolve(value, this);
        }
      }
      case Statement.React react -> {
        if (evaluate(scope, react.promise()) instanceof ModelPromise promise) {
          promise.then(
              this,
              realm,
              value -> {
                log(realm, react.id(), " reaction " + JsValues.show(value, realm));
                run(scope, react.body());
              },
              reason -> {
                log(realm, react.id(), " reaction rejected " + JsValues.error(reason, realm));
                run(scope, react.body());
              });
        }
      }
      case Statement.Later later -> {
        Runnable steps =
            () -> {
              log(realm, later.id(), "");
              run(scope, later.body());
            };
        if (later.turn() == Statement.Turn.TIMER) {
          world.timer(realm, steps);
        } else {
          realm.agent.queueMicrotask(realm, steps);
        }
      }
      case Statement.Async async ->
          new AsyncFunction(scope, async.body(), false, new Value.Undefined()).call();
      case Statement.Await await ->
          throw new IllegalArgumentException("await " + await.id() + " in no async function");
      case Statement.Send send -> world.send(realm, send.realm(), send.message());
      case Statement.Start start -> world.start(realm, start.realm());
      case Statement.End end -> world.end(realm, end.realm());
      case Statement.Close close -> world.close(realm);
    }
  }

  private void log(ModelRealm realm, Object id, String text) {
    world.log(realm, id + text);
  }

  /**
   * A call of an async function: <a href="https://tc39.es/ecma262/#sec-asyncblockstart">text</a>
   */
  private final class AsyncFunction {
    private final Scope scope;
    private final List<Statement> body;
    private final boolean fails;
    private final Value result;
    private final ModelPromise promise;
    private int next;

    AsyncFunction(Scope scope, List<Statement> body, boolean fails, Value result) {
      this.scope = scope;
      this.body = body;
      this.fails = fails;
      this.result = result;
      this.promise = new ModelPromise(scope.realm());
    }

    ModelPromise call() {
      while (next < body.size()) {
        Statement statement = body.get(next++);
        if (statement instanceof Statement.Await await) {
          ModelRealm realm = scope.realm();
          ModelPromise.await(
              Interpreter.this,
              realm,
              evaluate(scope, await.value()),
              value -> {
                log(realm, await.id(), " awaited " + JsValues.show(value, realm));
                call();
              },
              reason -> {
                log(realm, await.id(), " awaited rejected " + JsValues.error(reason, realm));
                call();
              });
          return promise;
        }
        run(scope, statement);
      }
      Object value = evaluate(scope, result);
      if (fails) {
        promise.resolver().reject(value);
      } else {
        promise.resolver().resolve(value, Interpreter.this);
      }
      return promise;
    }
  }

  private Object evaluate(Scope scope, Value value) {
    ModelRealm realm = scope.realm();
    return switch (value) {
      case Value.Text text -> text.text();
      case Value.Undefined undefined -> Primitive.UNDEFINED;
      case Value.TheLock lock -> scope.lock();
      case Value.Deferred deferred -> realm.deferreds.get(deferred.number() - 1);
      case Value.RequestPromise request ->
          realm.requests.containsKey(request.id())
              ? realm.requests.get(request.id())
              : Primitive.UNDEFINED;
      case Value.Settled settled -> {
        ModelPromise promise = new ModelPromise(realm);
        if (settled.rejected()) {
          promise.resolver().reject(settled.text());
        } else {
          promise.resolver().resolve(settled.text(), this);
        }
        yield promise;
      }
      case Value.Thenable thenable ->
          new ThenableObject(String.valueOf(thenable.id()), thenable.kind(), realm);
      case Value.OwnConstructor own -> {
        ModelPromise promise = new ModelPromise(realm);
        promise.resolver().resolve("c" + own.id(), this);
        promise.ownConstructor = own.id();
        yield promise;
      }
    };
  }

  @Override
  public void getThen(ThenableObject thenable) {
    log(thenable.realm(), thenable.id(), " get then");
    if (thenable.kind() == Value.Thenable.Kind.BAD_GETTER) {
      throw new Thrown("t" + thenable.id());
    }
  }

  @Override
  public void callThen(ThenableObject thenable, ModelPromise.Resolver resolver) {
    log(thenable.realm(), thenable.id(), " then");
    String text = "t" + thenable.id();
    switch (thenable.kind()) {
      case NOW, TWICE -> resolver.resolve(text, this);
      case REJECTING -> resolver.reject(text);
      case THROWING -> throw new Thrown(text);
      case LATE ->
          thenable
              .realm()
              .agent
              .queueMicrotask(thenable.realm(), () -> resolver.resolve(text, this));
      case RESOLVED_THEN_THROWING -> {
        resolver.resolve(text, this);
        throw new Thrown("no");
      }
      case NESTED ->
          resolver.resolve(
              new ThenableObject(thenable.id() + "n", Value.Thenable.Kind.NOW, thenable.realm()),
              this);
      case BAD_GETTER -> throw new IllegalStateException("its getter throws");
    }
  }

  @Override
  public void getConstructor(int id, ModelRealm realm) {
    log(realm, id, " get constructor");
  }

  /** Returns the realm whose lock manager a statement uses. */
  private static ModelRealm manager(ModelRealm realm, @Nullable String manager) {
    ModelRealm peer = manager == null ? null : realm.peers.get(manager);
    if (manager != null) {
      realm.observe(peer == null ? 2 : peer.active ? 3 : 4);
    }
    return peer == null ? realm : peer;
  }

  /** <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#dom-lockmanager-query">query</a> */
  private void query(ModelRealm realm, Statement.Query query) {
    ModelRealm client = manager(realm, query.manager());
    ModelPromise promise;
    if (client.active) {
      promise = new ModelPromise(client); // 4
      locks.query(client, realm, promise, realm.newId()); // 5
    } else {
      promise = ModelPromise.rejectedWith(client, client.error("InvalidStateError")); // 2
    }
    promise.then(
        this,
        realm,
        snapshot -> log(realm, query.id(), " " + snapshot),
        reason -> log(realm, query.id(), " rejected " + JsValues.error(reason, realm)));
  }

  /**
   * Calls the operation: the binding turns an exception into a rejected promise, see <a
   * href="https://webidl.spec.whatwg.org/#dfn-create-operation-function">Web IDL</a>.
   */
  private ModelPromise request(Scope scope, Statement.Request statement) {
    ModelRealm client = manager(scope.realm(), statement.manager());
    try {
      if (statement.brokenThis() || statement.callback() instanceof Callback.Missing) {
        throw new Thrown(client.error("TypeError"));
      }
      convertName(scope, client, statement);
      Converted options = convertOptions(scope, client, statement);
      if (!(statement.callback() instanceof Callback.Function callback)) {
        throw new Thrown(client.error("TypeError"));
      }
      return request(scope, client, statement, options, callback);
    } catch (Thrown e) {
      return ModelPromise.rejectedWith(client, e.value);
    }
  }

  /** Converts the name to a {@code DOMString}. */
  private void convertName(Scope scope, ModelRealm client, Statement.Request statement) {
    Name.Form form = statement.name().form();
    if (form == Name.Form.SYMBOL) {
      throw new Thrown(client.error("TypeError"));
    }
    if (form != Name.Form.STRING) {
      log(scope.realm(), statement.id(), " name");
    }
    if (form == Name.Form.BAD_OBJECT) {
      throw new Thrown("bad name " + statement.id());
    }
  }

  /** <a href="https://webidl.spec.whatwg.org/#js-to-dictionary">Converts</a> the options. */
  private Converted convertOptions(Scope scope, ModelRealm client, Statement.Request statement) {
    Options options = statement.options();
    if (options.form() == Options.Form.NUMBER) {
      throw new Thrown(client.error("TypeError")); // 1
    }
    boolean ifAvailable = false;
    String mode = "exclusive";
    Signal signal = null;
    boolean steal = false;
    boolean hasMembers =
        options.form() == Options.Form.OBJECT || options.form() == Options.Form.PROXY;
    for (Key key : hasMembers ? Key.values() : new Key[0]) { // 4.1, in lexicographical order
      String value = get(scope, statement.id(), options, key); // 4.1.3
      if (value.equals("undefined")) {
        continue;
      }
      switch (key) { // 4.1.4
        case IF_AVAILABLE -> ifAvailable = isTrue(value);
        case STEAL -> steal = isTrue(value);
        case MODE -> {
          if (value.equals("object")) {
            log(scope.realm(), statement.id(), "m name");
          }
          mode = value.equals("object") ? "shared" : value;
          if (!mode.equals("shared") && !mode.equals("exclusive")) {
            throw new Thrown(client.error("TypeError"));
          }
        }
        case SIGNAL -> {
          if (value.equals("none")) {
            throw new Thrown(client.error("TypeError"));
          }
          signal =
              value.equals("aborted")
                  ? abortedSignal()
                  : scope.realm().signals.get(Integer.parseInt(value) - 1);
        }
      }
    }
    return new Converted(ifAvailable, mode, signal, steal);
  }

  private static boolean isTrue(String expression) {
    return expression.equals("true") || expression.equals("1");
  }

  private static Signal abortedSignal() {
    Signal signal = new Signal();
    signal.abort("early");
    return signal;
  }

  /** Returns the value of a property of the options, as a program writes it. */
  private String get(Scope scope, int id, Options options, Key key) {
    if (options.form() == Options.Form.PROXY) {
      log(scope.realm(), id, " trap " + key.script);
    }
    Member member = options.member(key);
    if (member == null) {
      return "undefined";
    }
    if (member.access() != Member.Access.PLAIN) {
      log(scope.realm(), id, " get " + key.script);
    }
    if (member.access() == Member.Access.BAD_GETTER) {
      throw new Thrown("bad " + key.script);
    }
    return member.value();
  }

  /**
   * <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#api-lock-manager-request">3.2.1</a>
   */
  private ModelPromise request(
      Scope scope,
      ModelRealm client,
      Statement.Request statement,
      Converted options,
      Callback.Function callback) {
    ErrorObject refusal = null;
    if (!client.active) {
      refusal = client.error("InvalidStateError"); // 3
    } else if (statement.name().text().startsWith("-") // 5
        || (options.steal() && options.ifAvailable()) // 6
        || (options.steal() && !options.mode().equals("exclusive")) // 7
        || (options.signal() != null && (options.steal() || options.ifAvailable()))) { // 8
      refusal = client.error("NotSupportedError");
    }
    Signal signal = options.signal();
    if (refusal != null) {
      return ModelPromise.rejectedWith(client, refusal);
    }
    if (signal != null && signal.aborted) { // 9
      return ModelPromise.rejectedWith(client, signal.reason);
    }
    LockQueue.Request request =
        new LockQueue.Request(
            Agent.mix(scope.realm().newId(), client.name().hashCode()),
            client,
            scope.realm(),
            statement,
            lock -> call(scope.realm(), statement.id(), callback, lock),
            options.mode(),
            signal); // 11
    locks.request(request, options.ifAvailable(), options.steal()); // 11
    return request.promise; // 12
  }

  private Object call(ModelRealm realm, int id, Callback.Function callback, Object lock) {
    log(realm, id, " called " + JsValues.show(lock, realm));
    Scope scope = new Scope(realm, lock);
    if (callback.async()) {
      return new AsyncFunction(scope, callback.body(), callback.fails(), callback.result()).call();
    }
    run(scope, callback.body());
    Object result = evaluate(scope, callback.result());
    if (callback.fails()) {
      throw new Thrown(result);
    }
    return result;
  }

  /**
   * <a href="https://webidl.spec.whatwg.org/#invoke-a-callback-function">Invokes</a> a callback
   * that returns a promise, as the outermost script of a task.
   */
  ModelPromise invoke(LockQueue.Request request, Object argument, ModelPromise into) {
    ModelRealm realm = request.callbackRealm;
    boolean late = deviations.contains(Deviation.CONVERTS_AFTER_CHECKPOINT);
    ModelPromise promise = into;
    try {
      Object value = request.callback.apply(argument); // 11
      if (late) {
        realm.agent.performCheckpoint();
      }
      if (deviations.contains(Deviation.USES_PROMISE_AS_IT_IS)
          && value instanceof ModelPromise itself) {
        promise = itself;
      } else if (deviations.contains(Deviation.READS_CONSTRUCTOR)) {
        promise = ModelPromise.resolve(this, realm, value);
      } else {
        promise.resolver().resolve(value, this); // 13
      }
    } catch (Thrown e) {
      if (late) {
        realm.agent.performCheckpoint();
      }
      promise.resolver().reject(e.value); // 14.8
    }
    boolean isOutermost = !realm.agent.nested;
    if (isOutermost && (!late || !deviations.contains(Deviation.JOINS_LOCK_TASKS))) {
      realm.agent.performCheckpoint(); // 14.2, clean up after running script
    }
    return promise;
  }
}
