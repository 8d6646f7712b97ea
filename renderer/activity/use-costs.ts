import type { CostDays, CostView } from '../../shared/cost-view.ts'
import { useRange, type Ranged, type RangeQuery } from './use-range.ts'

const costs: RangeQuery<CostDays, CostView> = { paceMs: 5000, query: (client, days) => client.costs.query(days) }

/** What a range cost. */
export const useCosts = (days: CostDays): Ranged<CostView> => useRange(days, costs)
