package dev.weblocks.messaging;

import dev.weblocks.binding.RealmBinding;
import java.util.List;
import org.graalvm.polyglot.Value;

/**
 * The result of {@link StructuredClone#structuredDeserializeWithTransfer}.
 *
 * @param transferredValues the transferred objects, in the order of the transfer list
 */
public record DeserializedValue(Value value, List<Value> transferredValues) {

  public DeserializedValue {
    transferredValues = List.copyOf(transferredValues);
  }

  /** Returns the transferred ports, as objects of the realm that has received them. */
  public List<MessagePort> ports(RealmBinding binding) {
    return transferredValues.stream()
        .map(binding.objects()::implementation)
        .filter(MessagePort.class::isInstance)
        .map(MessagePort.class::cast)
        .toList();
  }
}
