package dev.weblocks.dom;

import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.Implementations.Code;
import dev.weblocks.binding.InitDictionary;
import dev.weblocks.idl.Argument;
import dev.weblocks.idl.IdlModel;
import dev.weblocks.idl.Member;
import dev.weblocks.idl.MergedInterface;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The code of those members of events that their IDL determines: attributes that return a member of
 * the initialization dictionary, and methods such as {@code initMessageEvent()}, whose arguments
 * are named after attributes.
 *
 * @see <a href="https://dom.spec.whatwg.org/#defining-event-interfaces">DOM: defining event
 *     interfaces</a>
 */
final class EventMembers {

  /** The number of arguments of each such method that {@link Event#initialize} takes. */
  private static final int OF_EVERY_EVENT = 3;

  private EventMembers() {}

  static @Nullable Code derive(IdlModel model, String owner, String key, Member member) {
    if (!(model.find(owner) instanceof MergedInterface events) || !isEvent(events)) {
      return null;
    }
    InitDictionary dictionary = InitDictionary.of(model, owner);
    return switch (member) {
      case Member.Attribute attribute when dictionary.names().contains(attribute.name()) ->
          getter(dictionary.indexOf(attribute.name()));
      case Member.Operation operation when key.startsWith("call init") ->
          initializer(events, dictionary, operation.arguments());
      default -> null;
    };
  }

  private static boolean isEvent(MergedInterface from) {
    return from.name().equals("Event") || from.parent() != null && isEvent(from.parent());
  }

  private static Code getter(int index) {
    return Implementations.code(Event.class, (event, args) -> event.attribute(index));
  }

  private static Code initializer(
      MergedInterface events, InitDictionary dictionary, List<Argument> arguments) {
    int[] given =
        arguments.stream()
            .skip(OF_EVERY_EVENT)
            .mapToInt(argument -> dictionary.indexOf(argument.name().replaceFirst("Arg$", "")))
            .toArray();
    // members that no attribute returns, such as modifier keys, get their defaults
    int[] hidden =
        dictionary.names().stream()
            .filter(name -> !events.hasAttribute(name))
            .mapToInt(dictionary::indexOf)
            .toArray();
    return Implementations.code(
        Event.class,
        (event, args) -> {
          if (event.initialize(args)) {
            for (int index : hidden) {
              event.setAttribute(index, null);
            }
            for (int i = 0; i < given.length; i++) {
              event.setAttribute(given[i], args.any(OF_EVERY_EVENT + i));
            }
          }
          return null;
        });
  }
}
