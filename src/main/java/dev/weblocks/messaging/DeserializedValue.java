package dev.weblocks.messaging;

import java.util.List;
import org.graalvm.polyglot.Value;

/**
 * What {@link StructuredClone#structuredDeserializeWithTransfer} made.
 *
 * @param value the value
 * @param transferredValues what was transferred, in the order of the transfer list
 */
public record DeserializedValue(Value value, List<Value> transferredValues) {

  public DeserializedValue {
    transferredValues = List.copyOf(transferredValues);
  }
}
