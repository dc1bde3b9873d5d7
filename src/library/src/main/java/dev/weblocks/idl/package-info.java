/**
 * The parser and model of Web IDL. They turn IDL text into a typed, checked model from which {@code
 * binding} builds the interface objects of a realm.
 *
 * <p>This takes two steps. {@link dev.weblocks.idl.IdlParser} reads one text into an {@link
 * dev.weblocks.idl.IdlFile}, the list of its {@link dev.weblocks.idl.Definition}s as written.
 * {@link dev.weblocks.idl.IdlModel} takes all files of a realm together: it merges partials and
 * mixins, expands typedefs, computes exposure, orders dictionary members and computes effective
 * overload sets. Both throw exceptions that contain source, line and column.
 *
 * <p>The model is immutable and may be used from any thread. Nothing here depends on JavaScript.
 *
 * <p>The code follows the <a href="https://webidl.spec.whatwg.org/">Web IDL Living Standard</a>,
 * commit e1300e9 of 26 March 2026. Step numbers in comments are those of that text.
 */
@NullMarked
package dev.weblocks.idl;

import org.jspecify.annotations.NullMarked;
