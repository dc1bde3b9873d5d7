package dev.weblocks.harness.differ.model;

import dev.weblocks.harness.differ.model.Program.Kind;
import dev.weblocks.harness.differ.model.Statement.Callback;
import dev.weblocks.harness.differ.model.Statement.Key;
import dev.weblocks.harness.differ.model.Statement.Member;
import dev.weblocks.harness.differ.model.Statement.Name;
import dev.weblocks.harness.differ.model.Statement.Options;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makers of programs that tests write by hand. */
public final class Programs {

  private Programs() {}

  /** Returns a program of the main window alone. */
  public static Program main(Statement... body) {
    return of(realm(Program.MAIN, Kind.MAIN, body));
  }

  /** Returns a program of the given realms. */
  public static Program of(Program.Realm... realms) {
    return new Program(0, List.of(realms));
  }

  /** Returns a realm without handlers. */
  public static Program.Realm realm(String name, Kind kind, Statement... body) {
    return new Program.Realm(name, kind, List.of(body), List.of());
  }

  /** Returns an exclusive request whose callback runs a body and returns a value. */
  public static Statement.Request request(int id, String name, Value result, Statement... body) {
    return request(id, name, "", result, body);
  }

  /**
   * Returns a request.
   *
   * @param options such as {@code mode=shared steal=true}
   */
  public static Statement.Request request(
      int id, String name, String options, Value result, Statement... body) {
    return of(id, null, name, options, false, result, body);
  }

  /** Returns a request with an async function as callback. */
  public static Statement.Request asyncRequest(
      int id, String name, Value result, Statement... body) {
    return of(id, null, name, "", true, result, body);
  }

  /** Returns a request by the lock manager of another realm. */
  public static Statement.Request requestBy(
      String manager, int id, String name, String options, Value result, Statement... body) {
    return of(id, manager, name, options, false, result, body);
  }

  private static Statement.Request of(
      int id,
      @Nullable String manager,
      String name,
      String options,
      boolean async,
      Value result,
      Statement... body) {
    List<Member> members = new ArrayList<>();
    for (String option : options.isEmpty() ? new String[0] : options.split(" ", -1)) {
      String[] parts = option.split("=", -1);
      for (Key key : Key.values()) {
        if (key.script.equals(parts[0])) {
          members.add(new Member(key, Member.Access.PLAIN, parts[1]));
        }
      }
    }
    return new Statement.Request(
        id,
        manager,
        false,
        new Name(name, Name.Form.STRING),
        new Options(members.isEmpty() ? Options.Form.ABSENT : Options.Form.OBJECT, members),
        new Callback.Function(async, List.of(body), false, result));
  }

  /** Returns the value undefined. */
  public static Value undefined() {
    return new Value.Undefined();
  }

  /** Returns logs, from texts such as {@code main: 1, 2 called}. */
  public static SortedMap<String, List<String>> logs(String... realms) {
    SortedMap<String, List<String>> logs = new TreeMap<>();
    for (String realm : realms) {
      int colon = realm.indexOf(": ");
      logs.put(realm.substring(0, colon), List.of(realm.substring(colon + 2).split(", ", -1)));
    }
    return logs;
  }
}
