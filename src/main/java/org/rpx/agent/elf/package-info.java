/** Libraries in files, before any of their code runs. */
package org.rpx.agent.elf;
