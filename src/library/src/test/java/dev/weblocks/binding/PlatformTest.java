package dev.weblocks.binding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.agent.Realm;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The check of a platform that its IDL and code match. */
class PlatformTest {

  static final class Bare extends PlatformObject {
    Bare(Realm realm) {
      super(realm);
    }
  }

  private static String refusal(String idl, Consumer<Implementations> define) {
    return assertThrows(
            IllegalStateException.class,
            () ->
                Platform.of(List.of(RealmBed.module(idl, define)), (realm, exception) -> {})
                    .check())
        .getMessage();
  }

  private static void complete(Implementations implementations) {
    implementations
        .implement("Bare", Bare.class)
        .getter("present", bare -> 1)
        .action("absent", (bare, args) -> {});
  }

  @Test
  void missing_implementations_are_named_in_the_error() {
    assertEquals(
        "IDL and code differ: no code for Bare call absent",
        refusal("bare.idl", all -> all.implement("Bare", Bare.class).getter("present", bare -> 1)));
  }

  @Test
  void interface_without_a_class_is_named_in_the_error() {
    assertTrue(refusal("constructs.idl", all -> {}).contains("no class for interface Empty"));
  }

  @Test
  void surplus_implementations_are_named_in_the_error() {
    assertEquals(
        "IDL and code differ: no IDL for Bare call more",
        refusal(
            "bare.idl",
            all -> {
              complete(all);
              all.mixin("Bare", Bare.class).action("more", (bare, args) -> {});
            }));
  }

  @Test
  void setter_of_a_read_only_attribute_is_reported_as_surplus() {
    assertEquals(
        "IDL and code differ: no IDL for Bare set present",
        refusal(
            "bare.idl",
            all ->
                all.implement("Bare", Bare.class)
                    .getter("present", bare -> 1)
                    .setter("present", (bare, args) -> {})
                    .action("absent", (bare, args) -> {})));
  }

  @Test
  void implementation_of_an_unknown_interface_is_named_in_the_error() {
    assertEquals(
        "no IDL for interface Unknown",
        refusal(
            "bare.idl",
            all -> {
              complete(all);
              all.implement("Unknown", PlatformTest.Other.class);
            }));
  }

  static final class Other extends PlatformObject {
    Other(Realm realm) {
      super(realm);
    }
  }

  @Test
  void interface_or_member_implemented_twice_is_named_in_the_error() {
    assertEquals(
        "Bare is implemented twice",
        refusal(
            "bare.idl",
            all -> {
              complete(all);
              complete(all);
            }));
    assertEquals(
        "Bare implements 'get present' twice",
        refusal(
            "bare.idl",
            all ->
                all.implement("Bare", Bare.class)
                    .getter("present", bare -> 1)
                    .getter("present", bare -> 2)));
  }

  @Test
  void class_that_implements_two_interfaces_is_named_in_the_error() {
    assertTrue(
        refusal(
                "constructs.idl",
                all -> {
                  all.implement("Empty", Bare.class);
                  all.implement("Hidden", Bare.class);
                })
            .startsWith("Empty and Hidden are both implemented by " + Bare.class.getName()));
  }

  @Test
  void unsupported_idl_construct_is_named_in_the_error() {
    assertEquals(
        "the binding has no support for the AsyncIterableDeclaration of Stream yet",
        refusal(
            "async-iterable.idl",
            all ->
                all.implement("Stream", Bare.class).constructor((realm, args) -> new Bare(realm))));
  }
}
