// SPDX-License-Identifier: Apache-2.0
// A self-contained page that reads well on light and on dark ground.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace espalier {

// Owned by one thread. All text is escaped. Pages with many heads begin with a list of them.
class HtmlPage {
 public:
  // Cells of a column, such as figures, may be set to the right.
  struct Row {
    std::vector<std::string> cells;
    std::string_view look = {};  // "used", "soft"; "holds" and "fails" colour the fourth cell
  };
  struct Card {
    std::string figure;
    std::string about;
    bool is_good = true;
  };

  HtmlPage(std::string_view title, std::string_view about);

  void head(std::string_view text);
  void say(std::string_view text);
  void list(const std::vector<std::string>& sentences);
  void cards(const std::vector<Card>& cards);
  // The first `left` columns are set to the left.
  void table(const std::vector<std::string>& heads, const std::vector<Row>& rows,
             std::size_t left = 1);
  // A long text as it stands, out of the way until somebody asks for it.
  void fold(std::string_view head, std::string_view text);
  // Beside each other as far as there is room.
  void pictures(const std::vector<std::string>& svgs);

  std::string finish() const;

 private:
  std::string contents() const;

  std::string title_;
  std::string about_;
  std::vector<std::string> heads_;
  std::string body_;
};

}  // namespace espalier
