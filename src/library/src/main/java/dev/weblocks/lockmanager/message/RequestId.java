package dev.weblocks.lockmanager.message;

/**
 * The id of a request, of the lock that it becomes, or of a query.
 *
 * @param client the client that made the request
 * @param sequence positive; unique among the ids of the client
 */
public record RequestId(ClientId client, long sequence) {

  @Override
  public String toString() {
    return sequence + " of " + client.value();
  }
}
