package dev.weblocks.harness.differ;

import dev.weblocks.harness.differ.model.Program;
import dev.weblocks.harness.differ.model.Program.Kind;
import dev.weblocks.harness.differ.model.Statement;
import dev.weblocks.harness.differ.model.Statement.Callback;
import dev.weblocks.harness.differ.model.Statement.Key;
import dev.weblocks.harness.differ.model.Statement.Member;
import dev.weblocks.harness.differ.model.Statement.Name;
import dev.weblocks.harness.differ.model.Statement.Options;
import dev.weblocks.harness.differ.model.Value;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The generator of programs: a seed gives one program. */
public final class ProgramGenerator {

  private static final int HANDLERS = 2;
  private static final int MAX_DEPTH = 3;

  /** How many statements a program has at most, and how many in all bodies of one realm. */
  private static final int MAX_STATEMENTS = 26;

  /** The place of a statement. */
  private record Place(RealmPlan realm, int handler, int depth, boolean async, boolean callback) {
    Place inside(boolean nowAsync, boolean nowCallback) {
      return new Place(realm, handler, depth + 1, nowAsync, nowCallback);
    }
  }

  private record RealmPlan(String name, Kind kind, List<Integer> requests) {}

  private final SplittableRandom random;
  private final List<RealmPlan> realms = new ArrayList<>();
  private int lastId;
  private int statements;

  private ProgramGenerator(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** Returns the program of a seed. */
  public static Program generate(long seed) {
    return new ProgramGenerator(seed).program(seed);
  }

  private Program program(long seed) {
    add(Program.MAIN, Kind.MAIN);
    int shape = random.nextInt(100);
    if (shape >= 30) {
      add("one", kind());
    }
    if (shape >= 80) {
      add("two", kind());
    }
    List<Program.Realm> made = new ArrayList<>();
    for (RealmPlan realm : realms) {
      List<List<Statement>> handlers = new ArrayList<>();
      Place place = new Place(realm, -1, 0, false, false);
      List<Statement> body = new ArrayList<>();
      if (chance(30)) {
        body.addAll(contention(place));
      }
      body.addAll(body(place, 2, 5));
      for (int i = 0; i < HANDLERS && realms.size() > 1; i++) {
        handlers.add(body(new Place(realm, i, 1, false, false), 1, 3));
      }
      if (realm.kind() == Kind.MAIN) {
        body = withStarts(body);
      }
      made.add(new Program.Realm(realm.name(), realm.kind(), body, handlers));
    }
    return new Program(seed, made);
  }

  private void add(String name, Kind kind) {
    realms.add(new RealmPlan(name, kind, new ArrayList<>()));
  }

  private Kind kind() {
    int drawn = random.nextInt(100);
    return drawn < 50
        ? Kind.WORKER
        : drawn < 75 ? Kind.FRAME : drawn < 87 ? Kind.WINDOW : Kind.SHARED_WORKER;
  }

  /** Adds the statements that create the other realms to the body of the main window. */
  private List<Statement> withStarts(List<Statement> body) {
    List<Statement> all = new ArrayList<>(body);
    for (RealmPlan realm : realms.subList(1, realms.size())) {
      all.add(random.nextInt(all.size() + 1), new Statement.Start(realm.name()));
    }
    return all;
  }

  private List<Statement> body(Place place, int least, int most) {
    List<Statement> body = new ArrayList<>();
    int count = random.nextInt(least, most + 1);
    for (int i = 0; i < count && statements < MAX_STATEMENTS; i++) {
      body.add(statement(place));
    }
    return body;
  }

  /** Returns requests of one name that wait for each other, and a statement that changes that. */
  private List<Statement> contention(Place place) {
    List<Statement> all = new ArrayList<>();
    String name = name();
    int controller = controller();
    int deferred = deferred();
    for (int i = random.nextInt(3, 5); i > 0; i--) {
      Map<Key, Member> members = new EnumMap<>(Key.class);
      // often a request with a signal waits between shared ones: its abort lets those behind it
      // pass
      boolean shared = chance(all.isEmpty() ? 75 : all.size() == 1 ? 30 : 60);
      if (shared) {
        put(members, Key.MODE, "shared");
      }
      if (!all.isEmpty()) {
        if (chance(shared ? 20 : 60)) {
          put(members, Key.SIGNAL, String.valueOf(controller));
        } else if (chance(30)) {
          put(members, Key.IF_AVAILABLE, "true");
        }
      }
      Value result = chance(60) ? new Value.Deferred(deferred) : result(place.inside(false, true));
      int id = ++lastId;
      all.add(
          new Statement.Request(
              id,
              manager(place),
              false,
              new Name(name, Name.Form.STRING),
              new Options(Options.Form.OBJECT, List.copyOf(members.values())),
              new Callback.Function(chance(30), List.of(), false, result)));
      place.realm().requests().add(id);
    }
    Statement change =
        chance(60)
            ? new Statement.Abort(controller, null)
            : new Statement.Settle(deferred, false, text());
    all.add(
        chance(70) ? new Statement.Later(++lastId, Statement.Turn.TIMER, List.of(change)) : change);
    statements += all.size();
    return all;
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private Statement statement(Place place) {
    statements++;
    boolean deep = place.depth() >= MAX_DEPTH;
    if (place.async() && chance(35)) {
      return new Statement.Await(++lastId, value(place, false));
    }
    if (place.callback() && !deep && chance(20)) { // the checkpoint after a callback
      return new Statement.Later(
          ++lastId,
          chance(70) ? Statement.Turn.PROMISE_JOB : Statement.Turn.MICROTASK,
          body(place.inside(false, true), 1, 2));
    }
    int drawn = random.nextInt(100);
    if (drawn < 40) {
      return request(place);
    }
    if (drawn < 46) {
      return new Statement.Query(++lastId, manager(place));
    }
    if (drawn < 54) {
      return new Statement.Abort(controller(), chance(50) ? "r" + ++lastId : null);
    }
    if (drawn < 57 && !deep) {
      return new Statement.OnAbort(++lastId, controller(), body(place.inside(false, false), 0, 1));
    }
    if (drawn < 70) {
      boolean rejects = chance(15);
      return new Statement.Settle(deferred(), rejects, rejects ? text() : value(place, true));
    }
    if (drawn < 75 && !deep) {
      return new Statement.React(++lastId, promise(place), body(place.inside(false, false), 0, 2));
    }
    if (drawn < 83 && !deep) {
      Statement.Turn[] turns = Statement.Turn.values();
      return new Statement.Later(
          ++lastId, turns[random.nextInt(turns.length)], body(place.inside(false, false), 1, 2));
    }
    if (drawn < 86 && !deep) {
      return new Statement.Async(++lastId, body(place.inside(true, place.callback()), 1, 3));
    }
    if (realms.size() > 1 && drawn < 94 && place.handler() < HANDLERS - 1) {
      return new Statement.Send(
          realms.get(random.nextInt(realms.size())).name(),
          random.nextInt(place.handler() + 1, HANDLERS));
    }
    if (realms.size() > 1 && drawn >= 94) {
      Kind kind = place.realm().kind();
      if (kind == Kind.MAIN) {
        return new Statement.End(realms.get(random.nextInt(1, realms.size())).name());
      }
      if ((kind == Kind.WORKER || kind == Kind.SHARED_WORKER) && chance(50)) {
        return new Statement.Close();
      }
    }
    return new Statement.Log(++lastId);
  }

  private int controller() {
    return random.nextInt(1, Program.CONTROLLERS + 1);
  }

  private int deferred() {
    return random.nextInt(1, Program.DEFERREDS + 1);
  }

  private Value text() {
    return new Value.Text("v" + ++lastId);
  }

  private Value promise(Place place) {
    List<Integer> requests = place.realm().requests();
    return requests.isEmpty() || chance(50)
        ? new Value.Deferred(deferred())
        : new Value.RequestPromise(requests.get(random.nextInt(requests.size())));
  }

  /** Draws a value that an async function awaits or that settles a promise. */
  private Value value(Place place, boolean mostlyText) {
    int drawn = random.nextInt(100);
    if (mostlyText && drawn < 65) {
      return text();
    }
    int kind = random.nextInt(100);
    if (kind < 20) {
      return text();
    }
    if (kind < 50) {
      return promise(place);
    }
    if (kind < 65) {
      return new Value.Settled(chance(30), "s" + ++lastId);
    }
    if (kind < 85) {
      return thenable();
    }
    return kind < 92 ? new Value.OwnConstructor(++lastId) : new Value.Undefined();
  }

  private Value thenable() {
    Value.Thenable.Kind[] kinds = Value.Thenable.Kind.values();
    return new Value.Thenable(++lastId, kinds[random.nextInt(kinds.length)]);
  }

  /** Draws the realm whose lock manager is used; null for the own one. */
  private @Nullable String manager(Place place) {
    if (!chance(25)) {
      return null;
    }
    Kind kind = place.realm().kind();
    if (kind == Kind.FRAME || kind == Kind.WINDOW) {
      return Program.MAIN;
    }
    if (kind == Kind.MAIN) {
      for (RealmPlan realm : realms) {
        if (realm.kind() == Kind.FRAME || realm.kind() == Kind.WINDOW) {
          return realm.name();
        }
      }
    }
    return null;
  }

  private Statement request(Place place) {
    int id = ++lastId;
    Statement.Request request =
        new Statement.Request(
            id,
            manager(place),
            chance(1),
            new Name(name(), nameForm()),
            options(),
            callback(place));
    place.realm().requests().add(id);
    return request;
  }

  private String name() {
    int drawn = random.nextInt(100);
    return drawn < 62 ? "a" : drawn < 90 ? "b" : drawn < 98 ? "c" : "-x";
  }

  private Name.Form nameForm() {
    int drawn = random.nextInt(100);
    return drawn < 92
        ? Name.Form.STRING
        : drawn < 97 ? Name.Form.OBJECT : drawn < 99 ? Name.Form.BAD_OBJECT : Name.Form.SYMBOL;
  }

  private Options options() {
    int drawn = random.nextInt(100);
    if (drawn < 33) {
      return new Options(Options.Form.ABSENT, List.of());
    }
    if (drawn < 38) {
      Options.Form[] odd = {
        Options.Form.UNDEFINED, Options.Form.NULL, Options.Form.NUMBER, Options.Form.UNDEFINED
      };
      return new Options(odd[random.nextInt(odd.length)], List.of());
    }
    Map<Key, Member> members = new EnumMap<>(Key.class);
    if (chance(45)) {
      put(members, Key.MODE, one(90, "shared", "exclusive", "object", "bad", "undefined"));
    }
    if (chance(20)) {
      put(members, Key.IF_AVAILABLE, one(85, "true", "false", "1", "''", "undefined"));
    }
    if (chance(16)) {
      put(members, Key.STEAL, one(80, "true", "false", "1", "''", "undefined"));
    }
    if (chance(25)) {
      put(
          members,
          Key.SIGNAL,
          one(85, String.valueOf(controller()), "aborted", "none", "undefined"));
    }
    if (chance(85)) { // most combinations are valid
      if (members.containsKey(Key.STEAL)) {
        members.remove(Key.MODE);
        members.remove(Key.IF_AVAILABLE);
      }
      if (members.containsKey(Key.STEAL) || members.containsKey(Key.IF_AVAILABLE)) {
        members.remove(Key.SIGNAL);
      }
    }
    List<Member> ordered = new ArrayList<>(members.values());
    if (chance(30)) {
      ordered = ordered.reversed(); // the order of creation is not observable
    }
    return new Options(chance(6) ? Options.Form.PROXY : Options.Form.OBJECT, ordered);
  }

  private void put(Map<Key, Member> members, Key key, String value) {
    int drawn = random.nextInt(100);
    members.put(
        key,
        new Member(
            key,
            drawn < 86
                ? Member.Access.PLAIN
                : drawn < 97 ? Member.Access.GETTER : Member.Access.BAD_GETTER,
            value));
  }

  /** Returns the first text with the given probability, else one of the others. */
  private String one(int percent, String first, String... others) {
    return chance(percent) ? first : others[random.nextInt(others.length)];
  }

  private Callback callback(Place place) {
    int drawn = random.nextInt(100);
    if (drawn < 3) {
      return drawn < 2 ? new Callback.NotCallable() : new Callback.Missing();
    }
    boolean async = chance(35);
    Place inside = place.inside(async, true);
    List<Statement> body = place.depth() >= MAX_DEPTH ? List.of() : body(inside, 0, 2);
    boolean fails = chance(8);
    return new Callback.Function(async, body, fails, fails ? text() : result(inside));
  }

  private Value result(Place place) {
    int drawn = random.nextInt(100);
    if (drawn < 15) {
      return new Value.Undefined();
    }
    if (drawn < 35) {
      return text();
    }
    if (drawn < 70) {
      return new Value.Deferred(deferred());
    }
    return drawn < 74 ? new Value.TheLock() : value(place, false);
  }
}
