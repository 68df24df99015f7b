/** ELF libraries: for which machine they are, what they need, and where the linker would look. */
package org.rpx.agent.elf;
