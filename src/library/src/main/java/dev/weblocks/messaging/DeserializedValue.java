package dev.weblocks.messaging;

import java.util.List;
import org.graalvm.polyglot.Value;

/**
 * The result of {@link StructuredClone#structuredDeserializeWithTransfer}.
 *
 * @param value the value
 * @param transferredValues the transferred objects, in the order of the transfer list
 */
public record DeserializedValue(Value value, List<Value> transferredValues) {

  public DeserializedValue {
    transferredValues = List.copyOf(transferredValues);
  }
}
