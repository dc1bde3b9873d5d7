package dev.weblocks.idl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Merging, resolving and the checks over all files. */
class IdlModelTest {

  private static IdlModel model(String... texts) {
    List<IdlFile> files = new ArrayList<>();
    for (int i = 0; i < texts.length; i++) {
      files.add(IdlParser.parse("file" + (i + 1) + ".idl", texts[i]));
    }
    return IdlModel.of(files);
  }

  private static String problem(String... texts) {
    return assertThrows(IdlModelException.class, () -> model(texts)).getMessage();
  }

  private static List<String> identifiers(List<MergedMember> members) {
    return members.stream().map(each -> String.valueOf(each.member().identifier())).toList();
  }

  private static IdlType resolved(IdlModel model, String type) {
    Definition.Typedef typedef =
        (Definition.Typedef)
            IdlParser.parse("type", "typedef " + type + " T;").definitions().getFirst();
    return model.resolve(typedef.type());
  }

  // Merging

  @Test
  void members_come_from_interface_then_partials_then_mixins_in_includes_order() {
    IdlModel model =
        model(
            """
            Rose includes Thorny;
            partial interface Rose { attribute any fromPartialOne; };
            interface mixin Scented { attribute any fromScented; };
            partial interface mixin Scented { attribute any fromScentedPartial; };
            [Exposed=Window] interface Rose { attribute any own; };
            """,
            """
            interface mixin Thorny { attribute any fromThorny; };
            Rose includes Scented;
            partial interface Rose { attribute any fromPartialTwo; };
            """);
    assertEquals(
        List.of(
            "own",
            "fromPartialOne",
            "fromPartialTwo",
            "fromThorny",
            "fromScented",
            "fromScentedPartial"),
        identifiers(model.interfaceNamed("Rose").members()));
  }

  @Test
  void member_refers_to_the_definition_that_declares_it() {
    IdlModel model =
        model(
            "[Exposed=*] interface A { attribute any x; }; interface mixin M { attribute any y; };"
                + " A includes M;");
    List<MergedMember> members = model.interfaceNamed("A").members();
    assertInstanceOf(Definition.Interface.class, members.get(0).declaredOn());
    assertEquals("M", members.get(1).declaredOn().name());
  }

  @Test
  void a_mixin_gives_its_members_to_every_interface_that_includes_it() {
    IdlModel model =
        model(
            "[Exposed=*] interface A {}; [Exposed=*] interface B {};"
                + " interface mixin M { attribute any x; }; A includes M; B includes M;");
    assertNotNull(model.interfaceNamed("A").attribute("x"));
    assertNotNull(model.interfaceNamed("B").attribute("x"));
    assertNull(model.interfaceNamed("B").attribute("y"));
  }

  @Test
  void namespaces_gain_the_members_of_their_partials() {
    MergedNamespace namespace =
        model(
                "[Exposed=*] namespace Shed { long open(); };"
                    + " partial namespace Shed { long shut(); };")
            .namespace("Shed");
    assertEquals(List.of("open", "shut"), identifiers(namespace.members()));
    assertEquals(
        List.of("open", "shut"),
        namespace.operations().stream().map(OperationGroup::name).toList());
    assertTrue(namespace.exposedIn(Set.of("Anything"), false, false));
  }

  @Test
  void interfaces_come_after_their_parents_and_otherwise_in_text_order() {
    IdlModel model =
        model(
            "[Exposed=*] interface D : C {}; [Exposed=*] interface B : A {};",
            "[Exposed=*] interface C : B {}; [Exposed=*] interface A {};"
                + " [Exposed=*] interface E {};");
    assertEquals(
        List.of("A", "B", "C", "D", "E"),
        model.interfaces().stream().map(MergedInterface::name).toList());
    assertEquals(
        List.of("C", "B", "A"),
        model.interfaceNamed("D").inheritedInterfaces().stream()
            .map(MergedInterface::name)
            .toList());
    assertSame(model.interfaceNamed("C"), model.interfaceNamed("D").parent());
  }

  @Test
  void static_and_regular_operations_are_grouped_by_identifier() {
    MergedInterface merged =
        model(
                """
                [Exposed=*] interface A {
                  undefined f(long a);
                  static undefined f(long a);
                  getter any item(unsigned long index);
                  undefined f(DOMString a, any b);
                  setter undefined (unsigned long index, any value);
                };
                """)
            .interfaceNamed("A");
    assertEquals(
        List.of("f false 2", "f true 1", "item false 1"),
        merged.operations().stream()
            .map(each -> each.name() + " " + each.isStatic() + " " + each.operations().size())
            .toList());
    assertNull(merged.operation("item", true));
  }

  @Test
  void callback_interface_has_constants_and_an_exposure() {
    MergedCallbackInterface filter =
        model(
                "[Exposed=Window] callback interface Filter {"
                    + " const unsigned short ACCEPT = 1; unsigned short accept(any node); };")
            .callbackInterface("Filter");
    assertEquals(List.of("ACCEPT"), identifiers(filter.constants()));
    assertTrue(filter.exposedIn(Set.of("Window"), false, false));
    assertFalse(filter.exposedIn(Set.of("Worker"), false, false));
  }

  @Test
  void callback_interface_without_constants_is_exposed_nowhere() {
    assertFalse(
        model("callback interface Listener { undefined handle(); };")
            .callbackInterface("Listener")
            .exposedIn(Set.of("Window"), true, true));
  }

  @Test
  void legacy_factory_functions_are_grouped_by_identifier() {
    MergedInterface merged =
        model(
                "[Exposed=Window, LegacyFactoryFunction=Image(),"
                    + " LegacyFactoryFunction=Photo(DOMString a),"
                    + " LegacyFactoryFunction=Image(long width, long height)]"
                    + " interface HTMLImageElement {};")
            .interfaceNamed("HTMLImageElement");
    assertEquals(
        List.of("Image", "Photo"),
        merged.legacyFactoryFunctions().stream().map(LegacyFactoryFunction::name).toList());
    Overloads<?> image = merged.legacyFactoryFunctions().getFirst().overloads();
    assertEquals(0, image.length());
    assertEquals(2, image.callables().size());
  }

  @Test
  void the_global_names_are_those_of_the_global_attribute() {
    IdlModel model =
        model(
            "[Global=(Worker,DedicatedWorker), Exposed=DedicatedWorker]"
                + " interface DedicatedWorkerGlobalScope {};"
                + " [Global=Window, Exposed=Window] interface Window {};"
                + " [Exposed=*] interface A {};");
    assertEquals(
        Set.of("Worker", "DedicatedWorker"),
        model.interfaceNamed("DedicatedWorkerGlobalScope").globalNames());
    assertEquals(Set.of("Window"), model.interfaceNamed("Window").globalNames());
    assertEquals(Set.of(), model.interfaceNamed("A").globalNames());
  }

  // Dictionaries

  @Test
  void dictionary_members_come_least_derived_first_then_by_identifier() {
    IdlModel model =
        model(
            """
            dictionary Rose : Flower { long thorns; long Colour; };
            partial dictionary Flower { long height; long age; };
            dictionary Flower : Plant { long petals; long b; };
            partial dictionary Rose { long B2; };
            dictionary Plant { required long zone; };
            """);
    assertEquals(
        List.of("zone", "age", "b", "height", "petals", "B2", "Colour", "thorns"),
        model.dictionary("Rose").allMembers().stream().map(DictionaryMember::name).toList());
    assertEquals(
        List.of("B2", "Colour", "thorns"),
        model.dictionary("Rose").ownMembers().stream().map(DictionaryMember::name).toList());
    assertTrue(model.dictionary("Rose").hasRequiredMember());
  }

  @Test
  void an_inherited_dictionary_member_cannot_be_declared_again() {
    assertEquals(
        "file1.idl:1:47: dictionary member B.x already exists, at file1.idl:1:16",
        problem("dictionary A { long x; }; dictionary B : A {  long x; };"));
  }

  // Types

  @Test
  void typedefs_are_expanded_at_any_depth() {
    IdlModel model =
        model(
            "typedef sequence<Id> Ids; typedef [Clamp] octet Id;"
                + " dictionary D { record<DOMString, Ids> all; };");
    assertEquals(
        "record<DOMString, sequence<[Clamp] octet>>",
        model.dictionary("D").allMembers().getFirst().type().toIdl());
    assertEquals("Promise<sequence<[Clamp] octet>>", resolved(model, "Promise<Ids>").toIdl());
  }

  @Test
  void annotations_apply_to_inner_types_and_are_merged() {
    IdlModel model =
        model("typedef [AllowShared] ArrayBuffer Buf; typedef (Buf or DataView) Source;");
    assertEquals(
        "([AllowShared, AllowResizable] ArrayBuffer or [AllowResizable] DataView)?",
        resolved(model, "[AllowResizable] Source?").toIdl());
    assertEquals("[Clamp] long?", resolved(model, "[Clamp] long?").toIdl());
    assertInstanceOf(IdlType.NullableType.class, resolved(model, "[Clamp] long?"));
  }

  @Test
  void resolving_twice_changes_nothing() {
    IdlModel model = model("typedef [Clamp] long Id; typedef (Id or DOMString)? Key;");
    IdlType once = resolved(model, "sequence<Key>");
    assertEquals(once, model.resolve(once));
  }

  @Test
  void name_in_a_resolved_type_refers_to_its_definition() {
    IdlModel model =
        model(
            "enum E { \"a\" }; callback F = any (); [Exposed=*] interface I {}; dictionary D {};"
                + " callback interface C { any f(); }; typedef E T;");
    assertSame(model.enumeration("E"), model.definition((IdlType.NamedType) resolved(model, "T")));
    assertSame(model.callback("F"), model.definition((IdlType.NamedType) resolved(model, "F")));
    assertSame(
        model.interfaceNamed("I"), model.definition((IdlType.NamedType) resolved(model, "I")));
    assertSame(model.dictionary("D"), model.find("D"));
    assertSame(model.callbackInterface("C"), model.find("C"));
    assertNull(model.find("T"));
  }

  @Test
  void lookup_of_an_unknown_name_throws_and_names_it() {
    IdlModel model = model("dictionary D {};");
    assertEquals(
        "no interface \"D\"; file1.idl:1:1 defines it as another kind",
        assertThrows(IllegalArgumentException.class, () -> model.interfaceNamed("D")).getMessage());
    assertEquals(
        "no enumeration \"E\"; add the IDL text that defines it",
        assertThrows(IllegalArgumentException.class, () -> model.enumeration("E")).getMessage());
  }

  // Checks

  @Test
  void two_definitions_of_one_name_are_an_error_across_kinds_and_files() {
    assertEquals(
        "file2.idl:2:3: \"A\" is already defined at file1.idl:1:13; mark one of the two partial,"
            + " rename it or leave it out",
        problem("[Exposed=*] interface A {};", "\n  dictionary A {};"));
  }

  @Test
  void unknown_type_is_reported_with_its_position() {
    assertEquals(
        "file1.idl:2:24: unknown type \"Missing\"; add the IDL text that defines it, or correct"
            + " the name",
        problem("[Exposed=*] interface A {\n  undefined f(sequence<Missing> x);\n};"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[Exposed=*] interface A { attribute Nope x; };",
        "[Exposed=*] interface A { Nope f(); };",
        "[Exposed=*] interface A { constructor(Nope x); };",
        "[Exposed=*] interface A { const Nope X = 1; };",
        "[Exposed=*] interface A { iterable<Nope, any>; };",
        "[Exposed=*] interface A { async_iterable<any>(optional Nope x); };",
        "[Exposed=*] interface A { maplike<any, Nope>; };",
        "[Exposed=*] interface A { setlike<Nope>; };",
        "interface mixin M { attribute Nope x; };",
        "interface mixin M {}; partial interface mixin M { attribute Nope x; };",
        "[Exposed=*] namespace N { Nope f(); };",
        "[Exposed=*, LegacyFactoryFunction=F(Nope x)] interface A {};",
        "dictionary D { (Nope or long) x; };",
        "callback F = Promise<Nope> ();",
        "callback F = any (record<DOMString, Nope?> x);",
        "callback interface C { any f(FrozenArray<Nope> x); };",
        "typedef [Clamp] Nope T;",
      })
  void an_unknown_type_is_found_in_every_construct(String text) {
    String message = problem(text);
    assertTrue(message.contains("unknown type \"Nope\""), message);
    assertTrue(message.startsWith("file1.idl:1:" + (text.indexOf("Nope") + 1) + ":"), message);
  }

  @Test
  void mixins_and_namespaces_are_not_types() {
    assertEquals(
        "file1.idl:1:31: \"M\" is an interface mixin, which is not a type",
        problem("interface mixin M {}; typedef M T;"));
    assertEquals(
        "file1.idl:1:38: \"N\" is a namespace, which is not a type",
        problem("[Exposed=*] namespace N {};  typedef N T;"));
  }

  @Test
  void unknown_inheritance_is_an_error() {
    assertEquals(
        "file1.idl:1:13: interface \"A\" inherits from unknown interface \"B\"; add the IDL text"
            + " that defines it",
        problem("[Exposed=*] interface A : B {};"));
    assertEquals(
        "file1.idl:1:13: interface \"A\" inherits from unknown interface \"D\"; add the IDL text"
            + " that defines it",
        problem("[Exposed=*] interface A : D {}; dictionary D {};"));
    assertEquals(
        "file1.idl:1:1: dictionary \"D\" inherits from unknown dictionary \"E\"; add the IDL text"
            + " that defines it",
        problem("dictionary D : E {};"));
  }

  @Test
  void cyclic_inheritance_is_an_error() {
    assertEquals(
        "file1.idl:1:1: dictionary \"A\" inherits in a cycle: A : B : C : A",
        problem("dictionary A : B {}; dictionary B : C {}; dictionary C : A {};"));
    assertEquals(
        "file1.idl:1:13: interface \"X\" inherits in a cycle: X : X",
        problem("[Exposed=*] interface X : X {};"));
    // A dictionary that inherits from a cycle must not hang either.
    assertEquals(
        "file1.idl:1:1: dictionary \"Z\" inherits in a cycle: Z : A : B : A",
        problem("dictionary Z : A {}; dictionary A : B {}; dictionary B : A {};"));
  }

  @Test
  void dictionary_has_at_most_64_ancestors() {
    StringBuilder chain = new StringBuilder("dictionary D0 {};");
    for (int i = 1; i <= 64; i++) {
      chain.append("\ndictionary D%d : D%d {};".formatted(i, i - 1));
    }
    assertNotNull(IdlModel.of(List.of(IdlParser.parse("a.idl", chain.toString()))));
    assertEquals(
        "file1.idl:66:1: dictionary \"D65\" has more than 64 ancestors",
        problem(chain + "\ndictionary D65 : D64 {};"));
  }

  @Test
  void typedef_that_refers_to_itself_is_an_error() {
    assertEquals(
        "file1.idl:1:1: the typedef \"A\" refers to itself",
        problem("typedef sequence<B> A; typedef (A or long) B;"));
  }

  @Test
  void partial_definition_requires_an_original_definition_of_its_kind() {
    assertEquals(
        "file1.idl:1:1: partial interface \"A\" has no original definition; add the IDL text that"
            + " has it",
        problem("partial interface A {};"));
    assertEquals(
        "file1.idl:1:1: partial dictionary \"A\" has no original definition: file2.idl:1:1 defines"
            + " it as another kind",
        problem("partial dictionary A {};", "interface mixin A {};"));
  }

  @Test
  void includes_statement_that_is_repeated_or_has_unknown_names_is_an_error() {
    assertEquals(
        "file1.idl:1:1: unknown interface \"A\" in an includes statement; add the IDL text that"
            + " defines it",
        problem("A includes M; interface mixin M {};"));
    assertEquals(
        "file1.idl:1:29: unknown mixin \"M\" in an includes statement of \"A\"; add the IDL text"
            + " that defines it",
        problem("[Exposed=*] interface A {}; A includes M;"));
    assertEquals(
        "file1.idl:2:1: \"A\" includes \"M\" twice",
        problem("[Exposed=*] interface A {}; interface mixin M {}; A includes M;\nA includes M;"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          attribute any x; undefined x();         | "A" already has a member "x"
          attribute any x; static attribute any x; | "A" already has a member "x"
          const byte X = 1; attribute any X;       | "A" already has a member "X"
          iterable<any>; setlike<any>;             | "A" already declares its iteration
          stringifier; stringifier attribute DOMString x; | "A" already declares its stringifier
          attribute any toString;                  | "toString" is a reserved identifier
          undefined _constructor();                | "constructor" is a reserved identifier
          const byte length = 1;                   | a constant of A must not be named "length"
          const DomStr X = 1;                      | the constant A.X must be of a primitive type
          attribute sequence<long> x;              | the attribute A.x must not be of type sequence
          attribute (sequence<any> or long)? x;    | the attribute A.x must not be of type sequence
          attribute (D or long) x;                 | the attribute A.x must not be of type D
          undefined f(any a, any a);               | the argument "a" of operation A.f exists twice
          undefined f(any... a, any b);            | the argument "a" of operation A.f is variadic
          undefined f(D d);                        | takes a dictionary that may be empty
          undefined f(optional D d, optional any a); | takes a dictionary that may be empty
          undefined f(D? d);                       | must not be a nullable dictionary
          undefined f(optional long a = {});       | of type long must not have the default {}
          undefined f(optional D a = []);          | of type D must not have the default []
          undefined f(optional long a = null);     | of type long must not have the default null
          undefined f(optional E a = "c");         | of type E must not have the default "c"
          undefined f(NLong? a);                   | must not be made nullable
          undefined f((D or long)? a);             | must not be made nullable
          undefined f((NLong or DOMString?) a);    | includes null more than once
          undefined f((D or long?) a);             | includes null more than once
          undefined f((long or double) a);         | members long and double
          async_iterable<any>(any a);              | the argument "a" of async_iterable of A must be
          any f(any a); Promise<any> f();          | must all return promises, or none of them
          """)
  void a_broken_rule_of_members_is_an_error(String members, String problem) {
    String text =
        "dictionary D { long m; }; enum E { \"a\", \"b\" }; typedef long? NLong;"
            + " typedef DOMString DomStr; [Exposed=*] interface A { "
            + members
            + " };";
    String message = problem(text);
    assertTrue(message.contains(problem), message);
  }

  @Test
  void valid_members_are_accepted() {
    IdlModel model =
        model(
            """
            dictionary D { long m; };
            dictionary R { required long m; };
            enum E { "a", "b" };
            callback F = any (D d);
            [Exposed=*] interface A {
              undefined f(optional D d = {}, optional sequence<long> s = [], optional E e = "b",
                          optional long? n = null, optional record<DOMString, long> r = {});
              undefined g(D d, any required);
              undefined h(R r);
              undefined i(optional (D or long) d = 3, any... rest);
              static undefined f();
              attribute (long or DOMString)? x;
            };
            """);
    assertEquals(5, model.interfaceNamed("A").operations().size());
  }

  @Test
  void duplicate_value_of_an_enumeration_is_an_error() {
    assertEquals(
        "file1.idl:1:1: enumeration \"E\" has the value \"a\" twice",
        problem("enum E { \"a\", \"a\" };"));
  }

  @Test
  void overloads_across_definitions_are_an_error() {
    assertEquals(
        "file1.idl:2:23: operation A.f is overloaded in two definitions, also at file1.idl:1:27;"
            + " declare all overloads in one of them",
        problem(
            "[Exposed=*] interface A { undefined f(); };\n"
                + "partial interface A { undefined f(any a); };"));
  }
}
