package dev.weblocks.harness.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A network on the loopback interface, with a proxy in front of each member for its clients. */
final class ProxyNetwork implements TrialNetwork {

  private final String peers;
  private final Map<String, TcpProxy> proxies = new LinkedHashMap<>();

  /** Reserves addresses for members, and starts their proxies. */
  ProxyNetwork(int size) throws IOException {
    peers = TrialCluster.freePeers(size);
    try {
      for (String each : peers.split(",", -1)) {
        int port = Integer.parseInt(each.substring(each.lastIndexOf(':') + 1));
        proxies.put(each.substring(0, each.indexOf('=')), new TcpProxy(port));
      }
    } catch (IOException failed) {
      close();
      throw failed;
    }
  }

  /** Returns the proxy in front of a member. */
  TcpProxy of(String member) {
    return Objects.requireNonNull(proxies.get(member), member);
  }

  @Override
  public List<String> members() {
    return List.copyOf(proxies.keySet());
  }

  @Override
  public String peers() {
    return peers;
  }

  @Override
  public String peersOfClients() {
    List<String> all = new ArrayList<>();
    proxies.forEach((id, proxy) -> all.add(id + "=127.0.0.1:" + proxy.port()));
    return String.join(",", all);
  }

  @Override
  public List<String> commandAt(String place, List<String> command) {
    return command;
  }

  @Override
  public void close() {
    proxies.values().forEach(TcpProxy::close);
  }
}
