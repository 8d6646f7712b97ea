import { zh } from '../../../shared/sentences/zh/spaced.ts'
import type { Dictionary } from '../en.ts'

export const policy: Dictionary['policy'] = {
  title: '由你的组织规定',
  by: (name) => zh`这些规定来自 ${name}。配置只能更严，不能放宽。`,
  byNobody: '配置只能比这些规定更严，不能放宽。',
  ask: (contact) => zh`有问题就问 ${contact}`,
  source: '规定',
  providers: '提供方',
  anyModel: '所有模型',
  onlySimulator: '只有内置的模拟器',
  budgets: '目标在这之后询问',
  budget: {
    rounds: (most) => zh`${most} 轮`,
    hours: (most) => zh`${most} 小时`,
    noProgressRounds: (most) => zh`${most} 轮没有进展`,
    tokens: (most) => zh`${most} token`,
    costUsd: (most) => zh`${most} 美元`,
  },
  tools: '工具',
  noTool: '都不开',
  fleets: '机群',
  noFleet: '不能加入任何机群',
  telemetry: '遥测',
  phones: '手机',
  off: '关',
  bounded: '与配置不同、受限的设置',
  most: (most) => zh`由你的组织规定：最多 ${most}`,
  phonesOff: '由你的组织规定：手机不能配对，也不能连接。',
  broken: '读不出你的组织的规定。',
}
