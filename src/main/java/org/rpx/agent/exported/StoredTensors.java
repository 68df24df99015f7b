package org.rpx.agent.exported;

import static org.rpx.agent.exported.TensorFile.wrong;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.rpx.agent.trace.InputSpec;
import org.rpx.agent.trace.Values;

/** The elements of tensors, out of the storages of a torch.save archive. */
final class StoredTensors {
  /** Of all tensors together. */
  private static final long LARGEST = 4L << 30;

  /** Deflate shrinks no more than 1032 times: what says so lies. */
  private static final long MOST_SHRUNK = 1032;

  private static final int MOST_SIZES = 64;

  private final Path file;
  private final ZipFile zip;
  private final String root;
  private long total;

  /**
   * @param root what the names of its members begin with
   */
  StoredTensors(Path file, ZipFile zip, String root) {
    this.file = file;
    this.zip = zip;
    this.root = root;
  }

  /**
   * A tensor with its data, packed.
   *
   * @param at what errors call it
   */
  InputSpec.Tensor read(PickledTensor tensor, String at) throws IOException {
    TensorMeta meta = tensor.meta();
    List<Long> sizes = meta.sizes().stream().map(Size::value).toList();
    List<Long> strides = meta.strides().stream().map(Size::value).toList();
    int item = meta.dtype().bytes();
    ZipEntry storage = zip.getEntry(root + "data/" + tensor.key());
    if (storage == null) throw wrong(file, "has no data of " + at + "; copy or save it again");
    long first;
    long span;
    long bytes;
    try {
      if (sizes.size() != strides.size() || sizes.size() > MOST_SIZES) throw lies(at);
      first = Math.multiplyExact(meta.offset().value(), item);
      bytes = item;
      long last = 0;
      for (int d = 0; d < sizes.size(); d++) {
        if (sizes.get(d) < 0 || strides.get(d) < 0) throw lies(at);
        bytes = Math.multiplyExact(bytes, sizes.get(d));
        last = Math.addExact(last, Math.multiplyExact(sizes.get(d) - 1, strides.get(d)));
      }
      span = bytes == 0 ? 0 : Math.multiplyExact(Math.addExact(last, 1), item);
      if (first < 0 || (span > 0 && Math.addExact(first, span) > storage.getSize())) throw lies(at);
    } catch (ArithmeticException e) {
      throw lies(at);
    }
    if (Math.max(bytes, span) > Integer.MAX_VALUE)
      throw wrong(file, at + " has or spans more than 2 GiB; save a smaller batch, contiguous");
    total += bytes;
    if (total > LARGEST) throw wrong(file, "holds more than 4 GiB of data; save a smaller batch");
    ByteBuffer data = bytes(storage, first, (int) span, at);
    if (!Strides.packed(sizes, strides)) data = Strides.pack(data, item, sizes, strides);
    if (meta.dtype() == Dtype.BOOL) checkTruth(data, at);
    try {
      String name = at.equals("it") ? file.toString() : file + "[" + at + "]";
      return new InputSpec.Tensor(
          null, sizes, meta.dtype().torchName(), new Values.File(name, data));
    } catch (IllegalArgumentException e) {
      throw wrong(
          file, at + " is " + meta.dtype().torchName() + ", which no input is; save another dtype");
    }
  }

  /** A part of a storage; the rest is read for its checksum. */
  private ByteBuffer bytes(ZipEntry storage, long first, int count, String at) throws IOException {
    long packed = storage.getCompressedSize();
    // Believed only then: memory is taken before anything is unpacked.
    if (packed > Files.size(file) || storage.getSize() / MOST_SHRUNK > packed) throw lies(at);
    ByteBuffer bytes = ByteBuffer.allocateDirect(count).order(ByteOrder.nativeOrder());
    try (CheckedInputStream in = new CheckedInputStream(zip.getInputStream(storage), new CRC32());
        ReadableByteChannel channel = Channels.newChannel(in)) {
      if (count > 0) in.skipNBytes(first);
      while (bytes.hasRemaining()) if (channel.read(bytes) < 0) throw new EOFException("cut short");
      in.transferTo(OutputStream.nullOutputStream());
      // torch.save leaves it at 0 where it is told to reckon none.
      if (storage.getCrc() != 0 && storage.getCrc() != in.getChecksum().getValue())
        throw wrong(file, at + " has another checksum than the archive says; copy it again");
    }
    return bytes.flip();
  }

  /** LibTorch takes any other byte for neither. */
  private void checkTruth(ByteBuffer bytes, String at) {
    for (int i = 0; i < bytes.limit(); i++)
      if ((bytes.get(i) & 0xfe) != 0)
        throw wrong(file, at + " has a truth value that is neither 0 nor 1; save it again");
  }

  private IllegalArgumentException lies(String at) {
    return wrong(file, at + " lies outside of its data; copy or save it again");
  }
}
