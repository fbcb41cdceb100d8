#include "experiment_suites.h"

#include <algorithm>
#include <stdexcept>

#include "complaints/complaint_experiments.h"
#include "duals/dual_experiments.h"
#include "peers/peer_experiments.h"

namespace stiction::runner {

const std::vector<ExperimentSuite>& ListExperimentSuites() {
  static const std::vector<ExperimentSuite> suites{
      {"papers", "Experiments of the papers, measured again", &ListPaperExperiments},
      {"duals", "Dual solvers side by side", &ListDualExperiments},
      {"complaints", "What users of simulators complain of", &ListComplaintExperiments},
      {"peers", "The same scenes by other engines", &ListPeerExperiments},
      {"truth", "Problems with known answers", &ListTruthExperiments},
  };
  return suites;
}

const ExperimentSuite* FindExperimentSuite(const std::string& name) {
  const std::vector<ExperimentSuite>& suites = ListExperimentSuites();
  const auto found =
      std::find_if(suites.begin(), suites.end(), [&](const ExperimentSuite& s) { return s.name == name; });
  return found == suites.end() ? nullptr : &*found;
}

std::string ListExperimentSuiteNames() {
  const std::vector<ExperimentSuite>& suites = ListExperimentSuites();
  std::string names;
  for (std::size_t i = 0; i < suites.size(); ++i)
    names += std::string(i == 0 ? "`" : i + 1 == suites.size() ? " and `" : ", `") + suites[i].name + "`";
  return names;
}

const ExperimentGroup& FindExperimentGroup(const std::string& name) {
  static const std::vector<ExperimentGroup> groups{
      {"canal", "Lee et al. 2024: CANAL and SubADMM",
       "Figures and tables of the paper on augmented Lagrangian methods, beside its solvers as they are "
       "built "
       "here."},
      {"sap", "Castro et al. 2022: SAP",
       "What the paper on the semi-analytic primal solver says of compliant contact and pressure fields, "
       "held "
       "against closed forms."},
      {"admm", "Tasora et al. 2021: ADMM on impulses",
       "The paper's tests 1 to 4, with its geometry as far as it is given; stacks against the analytic "
       "solution, and how its methods converge beside others."},
      {"duals", "Tsounis et al. 2025: dual solvers",
       "The paper's thirteen mechanisms and its metrics, over frozen contact problems and moving scenes; its "
       "own figures are not public, so the claims are those of its text."},
      {"complaints", "What users of simulators complain of",
       "Scenarios for the questions that come up again and again in issue threads: each is run by the "
       "default "
       "solver with no parameter tuned, and judged by its own expectations."},
      {"peers", "The same scenes by other engines",
       "MuJoCo, Bullet and ODE on the scenes that we are given too; what moves is judged by one ruler, from "
       "the poses that each engine puts out."},
      {"truth", "Problems with known answers",
       "Closed forms, the multibody community's benchmark library, and real tosses of a cube."},
  };
  const auto found =
      std::find_if(groups.begin(), groups.end(), [&](const ExperimentGroup& g) { return g.name == name; });
  if (found == groups.end()) throw std::out_of_range("there is no group '" + name + "'");
  return *found;
}

}  // namespace stiction::runner
