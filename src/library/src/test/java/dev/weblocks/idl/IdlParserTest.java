package dev.weblocks.idl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.idl.ExtendedAttribute.Value;
import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One test per construct of the grammar. */
class IdlParserTest {

  private static List<Definition> parse(String text) {
    return IdlParser.parse("test.idl", text).definitions();
  }

  private static <T> T only(Class<T> kind, String text) {
    List<Definition> definitions = parse(text);
    assertEquals(1, definitions.size());
    return assertInstanceOf(kind, definitions.getFirst());
  }

  private static <T extends Member> T member(Class<T> kind, String text) {
    Definition.Interface parsed =
        only(Definition.Interface.class, "interface Garden {\n" + text + "\n};");
    assertEquals(1, parsed.members().size());
    return assertInstanceOf(kind, parsed.members().getFirst());
  }

  private static IdlType type(String text) {
    return only(Definition.Typedef.class, "typedef " + text + " T;").type();
  }

  private static Argument argument(String text) {
    Member.Operation operation = member(Member.Operation.class, "undefined f(" + text + ");");
    assertEquals(1, operation.arguments().size());
    return operation.arguments().getFirst();
  }

  private static ExtendedAttribute attribute(String text) {
    List<ExtendedAttribute> list =
        only(Definition.Interface.class, "[" + text + "] interface Garden {};")
            .extendedAttributes()
            .list();
    assertEquals(1, list.size());
    return list.getFirst();
  }

  // Definitions

  @Test
  void an_empty_text_has_no_definitions() {
    assertEquals(List.of(), parse(" \t\r\n // nothing\n /* here * / either */"));
  }

  @Test
  void an_interface_has_name_parent_and_members() {
    Definition.Interface parsed =
        only(
            Definition.Interface.class,
            "interface Rose : Flower { attribute long petals; undefined cut(); };");
    assertEquals("Rose", parsed.name());
    assertEquals("Flower", parsed.inherits());
    assertFalse(parsed.partial());
    assertEquals(
        List.of("petals", "cut"), parsed.members().stream().map(Member::identifier).toList());
  }

  @Test
  void a_partial_interface_is_marked() {
    Definition.Interface parsed =
        only(Definition.Interface.class, "partial interface Rose { undefined cut(); };");
    assertTrue(parsed.partial());
    assertNull(parsed.inherits());
  }

  @Test
  void mixin_and_its_partial_are_distinguished() {
    List<Definition> parsed =
        parse("interface mixin Scented {}; partial interface mixin Scented { const byte A = 1; };");
    assertFalse(assertInstanceOf(Definition.Mixin.class, parsed.get(0)).partial());
    Definition.Mixin partial = assertInstanceOf(Definition.Mixin.class, parsed.get(1));
    assertTrue(partial.partial());
    assertEquals("A", partial.members().getFirst().identifier());
  }

  @Test
  void an_includes_statement_names_both_sides() {
    Definition.Includes parsed = only(Definition.Includes.class, "Rose includes Scented;");
    assertEquals("Rose", parsed.name());
    assertEquals("Scented", parsed.mixin());
  }

  @Test
  void a_dictionary_has_parent_required_members_and_defaults() {
    Definition.Dictionary parsed =
        only(
            Definition.Dictionary.class,
            """
            dictionary RoseInit : FlowerInit {
              required DOMString colour;
              boolean thorns = true;
              long petals;
            };
            """);
    assertEquals("FlowerInit", parsed.inherits());
    DictionaryMember colour = parsed.members().get(0);
    assertTrue(colour.required());
    assertNull(colour.defaultValue());
    DictionaryMember thorns = parsed.members().get(1);
    assertFalse(thorns.required());
    assertEquals(new IdlLiteral.BooleanLiteral(true), thorns.defaultValue());
    assertNull(parsed.members().get(2).defaultValue());
  }

  @Test
  void a_partial_dictionary_is_marked() {
    assertTrue(only(Definition.Dictionary.class, "partial dictionary D { long a; };").partial());
  }

  @Test
  void enumeration_keeps_its_order_and_may_end_in_a_comma() {
    assertEquals(
        List.of("shared", "", "at rest"),
        only(Definition.Enumeration.class, "enum Mode { \"shared\", \"\", \"at rest\", };")
            .values());
  }

  @Test
  void a_typedef_carries_the_annotations_of_its_type() {
    Definition.Typedef parsed =
        only(Definition.Typedef.class, "typedef [Clamp] unsigned long Count;");
    assertEquals("Count", parsed.name());
    assertTrue(parsed.type().annotations().has("Clamp"));
    assertEquals("[Clamp] unsigned long", parsed.type().toIdl());
  }

  @Test
  void a_callback_function_has_return_type_and_arguments() {
    Definition.CallbackFunction parsed =
        only(
            Definition.CallbackFunction.class,
            "callback Gardener = Promise<any> (Rose? rose, optional long count = 3);");
    assertTrue(parsed.returnType().isPromiseType());
    assertEquals(
        List.of("rose", "count"), parsed.arguments().stream().map(Argument::name).toList());
  }

  @Test
  void a_callback_interface_has_constants_and_operations() {
    Definition.CallbackInterface parsed =
        only(
            Definition.CallbackInterface.class,
            "callback interface Watcher { const long MAX = 2; undefined seen(Event e); };");
    assertInstanceOf(Member.Constant.class, parsed.members().get(0));
    assertInstanceOf(Member.Operation.class, parsed.members().get(1));
  }

  @Test
  void a_namespace_has_operations_constants_and_read_only_attributes() {
    Definition.Namespace parsed =
        only(
            Definition.Namespace.class,
            "namespace Shed { readonly attribute any door; const byte N = 1; long open(); };");
    assertEquals(3, parsed.members().size());
    assertTrue(((Member.Attribute) parsed.members().getFirst()).readOnly());
  }

  @Test
  void a_partial_namespace_is_marked() {
    assertTrue(only(Definition.Namespace.class, "partial namespace Shed {};").partial());
  }

  @Test
  void definitions_and_members_have_positions_after_their_extended_attributes() {
    Definition.Interface parsed =
        only(Definition.Interface.class, "\n [A]\n  interface Rose {\n\t[B] attribute any x;\n};");
    assertEquals(new SourcePosition("test.idl", 3, 3), parsed.position());
    assertEquals(new SourcePosition("test.idl", 4, 6), parsed.members().getFirst().position());
  }

  // Members

  @Test
  void attribute_has_a_flag_for_each_keyword_before_it() {
    assertEquals(
        "attribute false false false false",
        flags(member(Member.Attribute.class, "attribute DOMString name;")));
    assertEquals(
        "attribute true false false false",
        flags(member(Member.Attribute.class, "readonly attribute DOMString name;")));
    assertEquals(
        "attribute true true false false",
        flags(member(Member.Attribute.class, "static readonly attribute DOMString name;")));
    assertEquals(
        "attribute false true false false",
        flags(member(Member.Attribute.class, "static attribute DOMString name;")));
    assertEquals(
        "attribute false false true false",
        flags(member(Member.Attribute.class, "inherit attribute DOMString name;")));
    assertEquals(
        "attribute true false false true",
        flags(member(Member.Attribute.class, "stringifier readonly attribute DOMString name;")));
    assertEquals(
        "attribute false false false true",
        flags(member(Member.Attribute.class, "stringifier attribute DOMString name;")));
  }

  private static String flags(Member.Attribute attribute) {
    return "attribute "
        + attribute.readOnly()
        + " "
        + attribute.isStatic()
        + " "
        + attribute.inherit()
        + " "
        + attribute.stringifier();
  }

  @Test
  void an_attribute_may_be_named_required_without_escape() {
    assertEquals("required", member(Member.Attribute.class, "attribute any required;").name());
  }

  @Test
  void stringifier_needs_no_attribute_or_operation() {
    member(Member.Stringifier.class, "stringifier;");
  }

  @Test
  void an_operation_is_regular_unless_marked() {
    Member.Operation regular = member(Member.Operation.class, "long f(DOMString a, any b);");
    assertEquals(Member.Special.NONE, regular.special());
    assertFalse(regular.isStatic());
    assertEquals(2, regular.arguments().size());
    assertTrue(member(Member.Operation.class, "static undefined f();").isStatic());
  }

  @ParameterizedTest
  @CsvSource({"getter,GETTER", "setter,SETTER", "deleter,DELETER"})
  void a_special_operation_may_lack_a_name(String keyword, Member.Special special) {
    Member.Operation unnamed =
        member(Member.Operation.class, keyword + " any (unsigned long index);");
    assertEquals(special, unnamed.special());
    assertNull(unnamed.name());
    assertEquals(
        "item", member(Member.Operation.class, keyword + " any item(unsigned long i);").name());
  }

  @Test
  void an_operation_may_be_named_includes_without_escape() {
    assertEquals("includes", member(Member.Operation.class, "boolean includes(any value);").name());
  }

  @Test
  void a_constructor_has_arguments() {
    Member.Constructor constructor =
        member(Member.Constructor.class, "constructor(DOMString type, optional any init);");
    assertEquals(2, constructor.arguments().size());
  }

  @ParameterizedTest
  @CsvSource({
    "boolean,true,true",
    "boolean,false,false",
    "octet,10,10",
    "octet,0,0",
    "long,-0x1F,-31",
    "unsigned long,0X0000fc00,64512",
    "short,017,15",
    "unsigned long long,18446744073709551615,18446744073709551615",
    "double,6.022e23,6.022e23",
    "double,.5,.5",
    "double,1.,1.",
    "double,-1E+3,-1E+3",
    "unrestricted double,-Infinity,-Infinity",
    "unrestricted float,Infinity,Infinity",
    "unrestricted float,NaN,NaN",
  })
  void a_constant_has_a_value(String type, String written, String value) {
    Member.Constant constant =
        member(Member.Constant.class, "const " + type + " SIZE = " + written + ";");
    assertEquals("SIZE", constant.name());
    assertEquals(type, constant.type().toIdl());
    assertEquals(value, constant.value().toIdl());
  }

  @Test
  void constant_may_have_a_named_type() {
    assertEquals(
        "GLenum", member(Member.Constant.class, "const GLenum POINTS = 0;").type().toIdl());
  }

  @Test
  void iterables_have_values_or_pairs() {
    Member.IterableDeclaration values = member(Member.IterableDeclaration.class, "iterable<Node>;");
    assertNull(values.keyType());
    assertEquals("Node", values.valueType().toIdl());
    Member.IterableDeclaration pairs =
        member(Member.IterableDeclaration.class, "iterable<USVString, [Clamp] long>;");
    assertNotNull(pairs.keyType());
    assertEquals("USVString", pairs.keyType().toIdl());
    assertEquals("[Clamp] long", pairs.valueType().toIdl());
  }

  @Test
  void async_iterables_may_take_arguments() {
    Member.AsyncIterableDeclaration plain =
        member(Member.AsyncIterableDeclaration.class, "async_iterable<any>;");
    assertNull(plain.keyType());
    assertEquals(List.of(), plain.arguments());
    Member.AsyncIterableDeclaration pairs =
        member(
            Member.AsyncIterableDeclaration.class,
            "async_iterable<DOMString, any>(optional any options);");
    assertNotNull(pairs.keyType());
    assertEquals("options", pairs.arguments().getFirst().name());
  }

  @Test
  void maplike_and_setlike_may_be_read_only() {
    assertFalse(member(Member.MaplikeDeclaration.class, "maplike<DOMString, any>;").readOnly());
    assertTrue(
        member(Member.MaplikeDeclaration.class, "readonly maplike<DOMString, any>;").readOnly());
    assertFalse(member(Member.SetlikeDeclaration.class, "setlike<DOMString>;").readOnly());
    assertTrue(member(Member.SetlikeDeclaration.class, "readonly setlike<DOMString>;").readOnly());
  }

  // Arguments and default values

  @Test
  void an_argument_is_required_optional_or_variadic() {
    assertFalse(argument("long a").mayBeOmitted());
    assertTrue(argument("optional long a").optional());
    assertTrue(argument("optional long a").mayBeOmitted());
    Argument variadic = argument("long... a");
    assertTrue(variadic.variadic());
    assertFalse(variadic.optional());
    assertTrue(variadic.mayBeOmitted());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "attribute",
        "callback",
        "const",
        "constructor",
        "deleter",
        "dictionary",
        "enum",
        "getter",
        "includes",
        "inherit",
        "interface",
        "iterable",
        "maplike",
        "mixin",
        "namespace",
        "partial",
        "readonly",
        "required",
        "setlike",
        "setter",
        "static",
        "stringifier",
        "typedef",
        "unrestricted"
      })
  void an_argument_may_be_named_by_some_keywords(String keyword) {
    assertEquals(keyword, argument("optional any " + keyword).name());
  }

  @Test
  void default_values_may_be_of_every_kind() {
    assertEquals(
        new IdlLiteral.IntegerLiteral(BigInteger.valueOf(-8)),
        argument("optional any a = -010").defaultValue());
    assertEquals(
        new IdlLiteral.DecimalLiteral("1.5"), argument("optional any a = 1.5").defaultValue());
    assertEquals(
        new IdlLiteral.StringLiteral("// no comment"),
        argument("optional any a = \"// no comment\"").defaultValue());
    assertEquals(
        new IdlLiteral.BooleanLiteral(false), argument("optional any a = false").defaultValue());
    assertEquals(new IdlLiteral.NullLiteral(), argument("optional any a = null").defaultValue());
    assertEquals(
        new IdlLiteral.UndefinedLiteral(), argument("optional any a = undefined").defaultValue());
    assertEquals(
        new IdlLiteral.EmptySequenceLiteral(), argument("optional any a = []").defaultValue());
    assertEquals(
        new IdlLiteral.EmptyDictionaryLiteral(), argument("optional any a = {}").defaultValue());
  }

  @Test
  void attributes_before_a_required_argument_annotate_its_type_only_if_applicable() {
    Argument required = argument("[Clamp, Mine] long a");
    assertTrue(required.type().annotations().has("Clamp"));
    assertFalse(required.type().annotations().has("Mine"));
    assertTrue(required.extendedAttributes().has("Mine"));
    assertFalse(required.extendedAttributes().has("Clamp"));
    Argument optional = argument("[Mine] optional [Clamp] long a");
    assertTrue(optional.type().annotations().has("Clamp"));
    assertTrue(optional.extendedAttributes().has("Mine"));
  }

  @Test
  void attributes_before_a_dictionary_member_annotate_its_type_only_if_applicable() {
    DictionaryMember member =
        only(Definition.Dictionary.class, "dictionary D { [EnforceRange, Mine] octet a; };")
            .members()
            .getFirst();
    assertTrue(member.type().annotations().has("EnforceRange"));
    assertTrue(member.extendedAttributes().has("Mine"));
    assertFalse(member.extendedAttributes().has("EnforceRange"));
  }

  // Names

  @Test
  void a_leading_underscore_is_removed_from_a_name_and_escapes_keywords() {
    assertEquals("interface", only(Definition.Interface.class, "interface _interface {};").name());
    assertEquals("value", member(Member.Attribute.class, "attribute _any _value;").name());
    assertEquals(new IdlType.NamedType("any", new SourcePosition("", 1, 1)), type("_any"));
  }

  @Test
  void a_name_may_contain_hyphens_and_begin_with_a_hyphen() {
    assertEquals("-webkit-x", member(Member.Attribute.class, "attribute any -webkit-x;").name());
  }

  // Types

  @ParameterizedTest
  @ValueSource(
      strings = {
        "any",
        "undefined",
        "object",
        "symbol",
        "boolean",
        "byte",
        "octet",
        "short",
        "unsigned short",
        "long",
        "unsigned long",
        "long long",
        "unsigned long long",
        "float",
        "unrestricted float",
        "double",
        "unrestricted double",
        "bigint",
        "DOMString",
        "ByteString",
        "USVString",
        "ArrayBuffer",
        "SharedArrayBuffer",
        "DataView",
        "Int8Array",
        "Int16Array",
        "Int32Array",
        "Uint8Array",
        "Uint16Array",
        "Uint32Array",
        "Uint8ClampedArray",
        "BigInt64Array",
        "BigUint64Array",
        "Float16Array",
        "Float32Array",
        "Float64Array",
        "Node",
        "Node?",
        "undefined?",
        "sequence<long>",
        "async_sequence<Node>?",
        "sequence<long?>?",
        "record<DOMString, any>",
        "record<USVString, sequence<long>>?",
        "FrozenArray<Node>",
        "ObservableArray<Node>",
        "Promise<undefined>",
        "Promise<sequence<Node>?>",
        "(Node or DOMString)",
        "(Node or (sequence<long> or Event) or (A or DOMString)?)?",
        "[Clamp] long?",
        "sequence<[Clamp] octet>",
        "([EnforceRange] long or [Clamp] Node?)",
      })
  void a_type_reads_back_as_written(String written) {
    assertEquals(written, type(written).toIdl());
  }

  @Test
  void spaces_and_comments_may_stand_between_the_words_of_a_type() {
    assertEquals(
        new IdlType.PrimitiveType(IdlType.Primitive.UNSIGNED_LONG_LONG),
        type("unsigned\n long /* really */ long"));
  }

  @Test
  void equal_types_at_different_positions_are_equal() {
    assertEquals(type("[Clamp] (Node or long)"), type("\n\n   [ Clamp ] ( Node or long )"));
    assertEquals(
        type("[Clamp] (Node or long)").hashCode(), type("\n[Clamp]\n(Node or long)").hashCode());
  }

  // Extended attributes

  @Test
  void extended_attribute_may_have_no_arguments() {
    assertEquals(new Value.None(), attribute("SecureContext").value());
  }

  @Test
  void extended_attribute_may_have_an_identifier() {
    assertEquals(new Value.Identifier("Window"), attribute("Exposed=Window").value());
    assertEquals(List.of("Window"), attribute("Exposed=Window").identifiers());
  }

  @Test
  void extended_attribute_may_have_an_identifier_list() {
    assertEquals(
        new Value.IdentifierList(List.of("Window", "Worker")),
        attribute("Exposed=(Window, Worker)").value());
  }

  @Test
  void extended_attribute_may_have_a_wildcard() {
    assertEquals(new Value.Wildcard(), attribute("Exposed=*").value());
  }

  @Test
  void extended_attribute_may_have_a_string() {
    assertEquals(new Value.Text("aria-label"), attribute("Reflect=\"aria-label\"").value());
  }

  @Test
  void extended_attribute_may_have_numbers() {
    assertEquals(
        new Value.IntegerNumber(BigInteger.valueOf(-1)), attribute("ReflectDefault=-1").value());
    assertEquals(new Value.DecimalNumber("0.5"), attribute("ReflectDefault=0.5").value());
    assertEquals(
        new Value.IntegerList(List.of(BigInteger.ONE, BigInteger.TEN)),
        attribute("ReflectRange=(1, 10)").value());
  }

  @Test
  void extended_attribute_may_have_arguments() {
    Value.ArgumentList list =
        assertInstanceOf(
            Value.ArgumentList.class, attribute("Make(DOMString a, optional long b = 1)").value());
    assertEquals(List.of("a", "b"), list.arguments().stream().map(Argument::name).toList());
  }

  @Test
  void extended_attribute_may_have_a_named_argument_list() {
    Value.NamedArgumentList list =
        assertInstanceOf(
            Value.NamedArgumentList.class,
            attribute("LegacyFactoryFunction=Image(optional unsigned long width)").value());
    assertEquals("Image", list.name());
    assertEquals("width", list.arguments().getFirst().name());
  }

  @Test
  void an_extended_attribute_of_a_nonstandard_form_keeps_its_tokens() {
    assertEquals(
        new Value.OtherTokens(List.of("=", "(", "\"a\"", ",", "{", "1", "}", ")", "?")),
        attribute("Odd=(\"a\",{1})?").value());
    assertEquals(
        new Value.OtherTokens(List.of("(", "a", ",", "b", ")")), attribute("Odd(a,b)").value());
  }

  @Test
  void extended_attributes_may_repeat() {
    ExtendedAttributes attributes =
        only(Definition.Interface.class, "[A=x, B, A=y] interface Rose {};").extendedAttributes();
    assertEquals(2, attributes.all("A").size());
    assertEquals(
        List.of("x"),
        attributes.get("A") == null ? List.of() : attributes.all("A").getFirst().identifiers());
    assertTrue(attributes.has("B"));
    assertFalse(attributes.has("C"));
  }

  @Test
  void lists_of_the_model_cannot_be_changed() {
    List<Definition> definitions = parse("interface Rose {};");
    assertThrows(UnsupportedOperationException.class, definitions::clear);
    List<Member> members = ((Definition.Interface) definitions.getFirst()).members();
    assertThrows(UnsupportedOperationException.class, members::clear);
  }
}
