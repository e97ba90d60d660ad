import type { RegressionCase } from './case.js';
import type { Exporter, RenderedFile } from './exporter.js';
import { exporterOptions } from './exporter-options.js';

/**
 * Has an exporter render a case by the options that the case states.
 *
 * @throws StepforkError `bad_exporter_option`, `exporter_invalid`; and whatever the exporter throws
 */
export function renderCase(exporter: Exporter, regression: RegressionCase): readonly RenderedFile[] {
  return exporter.render(regression, exporterOptions(exporter, regression.exporterOptions ?? {}));
}
