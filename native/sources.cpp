// The bytes of a program's weights: the file's own pages where they lie stored and aligned, a copy where they do not.
#include <ATen/MapAllocator.h>
#include <c10/core/CPUAllocator.h>
#include <caffe2/serialize/inline_container.h>

#include <fstream>

#include "program.h"

namespace rpx {

namespace {

class Archive {
 public:
  explicit Archive(const std::string& path) : path_(path) {}

  c10::Storage read(const Source& source) {
    constexpr size_t kAlign = 64;
    bool region = source.how == Source::kRegion;
    size_t size = region ? source.size : reader().getRecordSize(source.record);
    size_t offset = region ? source.offset : source.how == Source::kStored && size > 0 ? reader().getRecordOffset(source.record) : 1;
    if (size > 0 && offset % kAlign == 0 && size <= map_size() && offset <= map_size() - size) {
      auto* base = static_cast<char*>(map_->get());
      auto* keep = new std::shared_ptr<at::DataPtr>(map_);
      at::DataPtr part(base + offset, keep, [](void* kept) { delete static_cast<std::shared_ptr<at::DataPtr>*>(kept); },
                       c10::Device(c10::kCPU));
      return storage(size, std::move(part));
    }
    if (region) {
      auto data = c10::GetCPUAllocator()->allocate(size);
      std::ifstream file(path_, std::ios::binary);
      if (size > 0 && !file.seekg(source.offset).read(static_cast<char*>(data.get()), source.size))
        fail("MODEL_LOAD", "its weights end too early; copy or export it again");
      return storage(size, std::move(data));
    }
    auto [data, read] = reader().getRecord(source.record);
    return storage(read, std::move(data));
  }

 private:
  static c10::Storage storage(size_t size, at::DataPtr data) {
    return c10::Storage(c10::Storage::use_byte_size_t(), size, std::move(data), nullptr, false);
  }

  // Not before it is needed: it refuses the archives of torch 2.7 and older, whose members are in no folder.
  caffe2::serialize::PyTorchStreamReader& reader() {
    if (!reader_) reader_.emplace(path_);
    return *reader_;
  }

  size_t map_size() {
    // Private: what a forward writes stays in this process.
    if (!map_) map_ = std::make_shared<at::DataPtr>(at::MapAllocator::makeDataPtr(path_, 0, 0, &size_));
    return size_;
  }

  const std::string path_;
  std::optional<caffe2::serialize::PyTorchStreamReader> reader_;
  std::shared_ptr<at::DataPtr> map_;
  size_t size_ = 0;
};

}  // namespace

std::vector<c10::Storage> read(const std::string& archive, const std::vector<Source>& sources) {
  Archive file(archive);
  std::vector<c10::Storage> storages;
  for (auto& source : sources) storages.push_back(file.read(source));
  return storages;
}

}  // namespace rpx
