package dev.weblocks.harness.cluster;

import java.util.List;

/** The network of a trial: the places at which processes run, and their addresses. */
sealed interface TrialNetwork extends AutoCloseable permits ProxyNetwork, NamespaceNetwork {

  /** The place of the process that a trial starts to hold locks. */
  String HOLDER = "holder";

  /** Returns the ids of the members, each of which is a place. */
  List<String> members();

  /** Returns the addresses of the members for each other. */
  String peers();

  /** Returns the addresses of the members for clients. */
  String peersOfClients();

  /** Returns a command that runs another one at a place. */
  List<String> commandAt(String place, List<String> command);

  @Override
  void close();
}
