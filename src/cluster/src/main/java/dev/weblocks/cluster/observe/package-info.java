/**
 * The events of a lock cluster for the JDK's flight recorder. Its classes are used only if the JVM
 * has the module {@code jdk.jfr}, and nothing is created before the recorder is initialized.
 */
@NullMarked
package dev.weblocks.cluster.observe;

import org.jspecify.annotations.NullMarked;
