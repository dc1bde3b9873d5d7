package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.OutputStream;
import org.junit.jupiter.api.Test;

/** Environments whose parts are not on the class path, which has neither of them here. */
class EnvironmentTest {

  @Test
  void web_assembly_without_graal_wasm_is_refused() {
    Environment.Builder builder = Environment.newBuilder().warmUp(false).webAssembly(true);
    assertEquals(
        "GraalWasm is not on the class path: add org.graalvm.wasm:wasm-language",
        assertThrows(UnsupportedOperationException.class, builder::build).getMessage());
  }

  @Test
  void inspector_without_its_tool_is_refused() {
    Environment.Builder builder =
        Environment.newBuilder().inspector(0, OutputStream.nullOutputStream());
    assertEquals(
        "the inspector is not on the class path: add org.graalvm.tools:chromeinspector-tool",
        assertThrows(UnsupportedOperationException.class, builder::build).getMessage());
  }
}
