package dev.weblocks.harness.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The generated code of an interface. */
class IdlCommandTest extends CliBed {

  @Test
  void idl_prints_the_code_of_an_interface() {
    assertEquals(0, run("idl", "LockManager"), this::err);
    assertTrue(
        out().contains("    members: {\n      __proto__: null,\n      request(name, "), this::out);
  }

  @Test
  void idl_prints_an_interface_of_workers_only() {
    assertEquals(0, run("idl", "WorkerNavigator"), this::err);
    assertTrue(out().contains("get locks() {"), this::out);
  }

  @Test
  void idl_of_an_unknown_interface_is_one_line() {
    assertEquals(2, run("idl", "Nothing"));
    assertEquals(
        "weblocks: no interface is called 'Nothing'; names are those of the IDL, as Lock"
            + " (weblocks idl --help)\n",
        err());
  }
}
