package dev.weblocks.binding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Lazily made interface objects, which script cannot distinguish from others. */
class LazyPropertiesTest {

  /** Script that lists all objects reachable from the global, each by the path found first. */
  private static final String EVERYTHING =
      """
      (() => {
        const lines = [], places = new Map(), queue = [];
        const show = (value, place) => {
          if ((typeof value !== 'object' || value === null) && typeof value !== 'function') {
            return String(value);
          }
          if (!places.has(value)) {
            places.set(value, place);
            queue.push(value);
          }
          return places.get(value);
        };
        show(globalThis, 'global');
        for (let object; (object = queue.shift()) !== undefined; ) {
          const place = places.get(object);
          lines.push(place + ' < ' + show(Object.getPrototypeOf(object), place + '.proto'));
          if (typeof object === 'function') lines.push(Function.prototype.toString.call(object));
          for (const key of Reflect.ownKeys(object)) {
            const at = place + '.' + String(key);
            const d = Object.getOwnPropertyDescriptor(object, key);
            lines.push(at + [d.enumerable, d.configurable, d.writable]
                + ('value' in d ? show(d.value, at) : show(d.get, at + ' get') + show(d.set, at + ' set')));
          }
        }
        return lines.join('\\n');
      })()
      """;

  private static String eval(boolean later, String script) {
    try (RealmBed bed = new RealmBed(RealmBed.Access.NONE, later, Constructs.module())) {
      String result = bed.eval(script);
      assertEquals("[]", bed.defects.toString());
      return result;
    }
  }

  private static void assertSame(String expected, String script) {
    for (boolean later : new boolean[] {true, false}) {
      assertEquals(expected, eval(later, script), script);
    }
  }

  @Test
  void engine_supports_lazy_properties() {
    assertNotNull(LazyProperties.on(List.of()));
  }

  @Test
  void script_cannot_distinguish_lazy_from_eager_properties() {
    assertEquals(eval(false, EVERYTHING), eval(true, EVERYTHING));
  }

  @Test
  void lazy_value_is_the_same_at_each_read() {
    assertSame(
        "true,true,true",
        "[Animal === globalThis.Animal, Animal === Object.getOwnPropertyDescriptor(globalThis, 'Animal').value,"
            + " Object.getPrototypeOf(Dog) === Animal].join()");
  }

  @Test
  void unread_property_can_be_assigned_deleted_and_redefined() {
    assertSame("7,cw", "Animal = 7; [Animal, flags('Animal')].join()".replace("flags", FLAGS));
    assertSame("undefined", "delete globalThis.Animal; typeof Animal");
    assertSame(
        "8,cw",
        "Object.defineProperty(globalThis, 'Animal', {value: 8}); [Animal, flags('Animal')].join()"
            .replace("flags", FLAGS));
    assertSame(
        "function,",
        "Object.defineProperty(globalThis, 'Animal', {writable: false, configurable: false});"
            + " [typeof Animal, flags('Animal')].join()".replace("flags", FLAGS));
    assertSame(
        "9", "Object.defineProperty(globalThis, 'Animal', {get() { return 9; }}); String(Animal)");
  }

  private static final String FLAGS =
      "(name => { const d = Object.getOwnPropertyDescriptor(globalThis, name);"
          + " return (d.enumerable ? 'e' : '') + (d.configurable ? 'c' : '') + (d.writable ? 'w' : ''); })";

  @Test
  void property_that_was_read_can_be_assigned() {
    assertSame(
        "true,5", "const made = Animal; Animal = 5; [typeof made === 'function', Animal].join()");
  }

  @Test
  void page_that_replaced_all_builtins_gets_the_same_interfaces() {
    assertSame(
        "Dog,Animal,true",
        """
        const {getPrototypeOf, defineProperty} = Object, {apply} = Reflect;
        const join = Array.prototype.join;
        const found = [];
        for (const where of [globalThis, Object, Reflect, Object.prototype, Array.prototype, Function.prototype]) {
          for (const key of Reflect.ownKeys(where)) {
            const d = Reflect.getOwnPropertyDescriptor(where, key);
            const ours = where === globalThis && ['Dog', 'Animal'].includes(key);
            if (!ours && d.configurable && 'value' in d) {
              found.push([where, key]);
            }
          }
        }
        const throwing = {__proto__: null, get() { throw 'seen'; }, set() { throw 'set'; }, configurable: true};
        for (let i = 0, count = found.length; i < count; i++) {
          defineProperty(found[i][0], found[i][1], throwing);
        }
        apply(join, [Dog.name, getPrototypeOf(Dog).name, getPrototypeOf(Dog.prototype) === Animal.prototype], [',']);
        """);
  }

  @Test
  void interface_first_read_at_stack_overflow_is_complete_at_the_next_read() {
    assertSame(
        "true",
        """
        const deep = () => { try { deep(); } catch { try { Dog; } catch {} } };
        deep();
        String(Object.getPrototypeOf(Dog) === Animal && Object.getPrototypeOf(Dog.prototype) === Animal.prototype
            && Dog.prototype[Symbol.toStringTag] === 'Dog' && Dog.prototype.constructor === Dog)
        """);
  }
}
