#include "paper_json.h"

namespace stiction::runner {
namespace {

Json FiguresToJson(const PaperOutcome& outcome) {
  Json figures = Json::array();
  for (const PaperFigure& f : outcome.figures)
    figures.push_back({{"source", f.source},
                       {"quantity", f.quantity},
                       {"claim", f.paper},
                       {"ours", f.ours},
                       {"ratio", f.ratio ? Json(*f.ratio) : Json(nullptr)},
                       {"verdict", ToString(f.verdict)},
                       {"remark", f.remark}});
  return figures;
}

Json PlotsToJson(const MeasuredExperiment& measured) {
  const std::string stem = measured.experiment->FileStem() + "_";
  Json plots = Json::array();
  for (const PaperPlot& plot : measured.outcome.plots)
    plots.push_back(
        {{"title", plot.plot.title}, {"svg", plot.plot.Draw()}, {"file", stem + plot.name + ".svg"}});
  for (const PaperDrawing& drawing : measured.outcome.drawings)
    plots.push_back({{"title", drawing.title}, {"svg", drawing.svg}, {"file", stem + drawing.name + ".svg"}});
  return plots;
}

Json PicturesToJson(const MeasuredExperiment& measured) {
  Json pictures = Json::array();
  for (std::size_t i = 0; i < measured.outcome.pictures.size(); ++i) {
    const PaperPicture& picture = measured.outcome.pictures[i];
    const bool is_drawn = i < measured.picture_faults.size();
    pictures.push_back({{"caption", picture.caption},
                        {"file", measured.experiment->FileStem() + "_" + picture.name + ".png"},
                        {"fault", is_drawn ? measured.picture_faults[i] : "no folder was named for it"}});
  }
  return pictures;
}

}  // namespace

Json ToJson(const MeasuredExperiment& measured) {
  const PaperExperiment& experiment = *measured.experiment;
  Json out{{"name", experiment.FullName()}, {"group", experiment.paper},
           {"title", experiment.title},     {"reference", experiment.reference},
           {"claim", experiment.claim},     {"about", measured.outcome.about},
           {"command", measured.command},   {"seconds", measured.seconds}};
  out["figures"] = FiguresToJson(measured.outcome);
  out["tables"] = Json::array();
  for (const PaperTable& table : measured.outcome.tables)
    out["tables"].push_back({{"title", table.title}, {"columns", table.columns}, {"rows", table.rows}});
  out["plots"] = PlotsToJson(measured);
  out["pictures"] = PicturesToJson(measured);
  out["files"] = Json::array();
  for (const PaperFile& file : measured.outcome.files)
    out["files"].push_back(experiment.FileStem() + "_" + file.name);
  return out;
}

}  // namespace stiction::runner
