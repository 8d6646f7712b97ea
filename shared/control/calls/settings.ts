import { z } from 'zod'
import {
  addProviderInput,
  configText,
  outageInput,
  saveConfigInput,
  saveOutsideInput,
  saveRouteInput,
} from '../contract.ts'
import { setUpAgentInput, setUpClients } from '../../setup/first-run.ts'
import { secretPlace } from '../../secrets/secret-place-shape.ts'
import { updateProviderInput } from '../provider-edit.ts'
import { addLocalKeyInput, setSettingInput } from '../settings.ts'
import { setSwitchInput } from '../switches.ts'
import { call, id } from './procedure.ts'

/**
 * Calls on settings: providers, routes, the config, secrets, agents, tools and notices sent outside of this machine.
 */
export const settingCalls = {
  testProvider: call
    .input(z.union([id, z.object({ provider: id, key: id })]))
    .mutation(({ ctx, input }) =>
      typeof input === 'string' ? ctx.api.testProvider(input) : ctx.api.testProvider(input.provider, input.key),
    ),
  providerDetails: call.input(id).query(({ ctx, input }) => ctx.api.providerDetails(input)),
  updateProvider: call.input(updateProviderInput).mutation(({ ctx, input }) => ctx.api.updateProvider(input)),
  providerModels: call.input(id).mutation(({ ctx, input }) => ctx.api.providerModels(input)),
  addProvider: call.input(addProviderInput).mutation(({ ctx, input }) => ctx.api.addProvider(input)),
  removeProvider: call.input(id).mutation(({ ctx, input }) => ctx.api.removeProvider(input)),
  saveRoute: call.input(saveRouteInput).mutation(({ ctx, input }) => ctx.api.saveRoute(input)),
  undoConfig: call.mutation(({ ctx }) => ctx.api.undoConfig()),
  configText: call.query(({ ctx }) => ctx.api.configText()),
  checkConfigText: call.input(configText).query(({ ctx, input }) => ctx.api.checkConfigText(input)),
  saveConfigText: call.input(saveConfigInput).mutation(({ ctx, input }) => ctx.api.saveConfigText(input)),
  setSwitch: call.input(setSwitchInput).mutation(({ ctx, input }) => ctx.api.setSwitch(input)),
  settings: call.query(({ ctx }) => ctx.api.settings()),
  setSetting: call.input(setSettingInput).mutation(({ ctx, input }) => ctx.api.setSetting(input)),
  addLocalKey: call.input(addLocalKeyInput).mutation(({ ctx, input }) => ctx.api.addLocalKey(input)),
  removeLocalKey: call.input(id).mutation(({ ctx, input }) => ctx.api.removeLocalKey(input)),
  secretsKept: call.query(({ ctx }) => ctx.api.secretsKept()),
  moveSecrets: call.input(secretPlace).mutation(({ ctx, input }) => ctx.api.moveSecrets(input)),
  putBackConfig: call.mutation(({ ctx }) => ctx.api.putBackConfig()),
  foundAccess: call.query(({ ctx }) => ctx.api.foundAccess()),
  useAccess: call.input(id).mutation(({ ctx, input }) => ctx.api.useAccess(input)),
  tryProvider: call.input(id).mutation(({ ctx, input }) => ctx.api.tryProvider(input)),
  agentSetups: call.query(({ ctx }) => ctx.api.agentSetups()),
  setUpAgent: call.input(setUpAgentInput).mutation(({ ctx, input }) => ctx.api.setUpAgent(input)),
  undoAgentSetup: call.input(z.enum(setUpClients)).mutation(({ ctx, input }) => ctx.api.undoAgentSetup(input)),
  startDemo: call.mutation(({ ctx }) => ctx.api.startDemo()),
  setResumeAtReset: call
    .input(z.object({ session: id, on: z.boolean() }))
    .mutation(({ ctx, input }) => ctx.api.setResumeAtReset(input.session, input.on)),
  setRecover: call
    .input(z.object({ session: id, on: z.boolean() }))
    .mutation(({ ctx, input }) => ctx.api.setRecover(input.session, input.on)),
  setOutage: call.input(outageInput).mutation(({ ctx, input }) => ctx.api.setOutage(input)),
  cancelResume: call.input(id).mutation(({ ctx, input }) => ctx.api.cancelResume(input)),
  setCapture: call
    .input(z.object({ session: id, on: z.boolean() }))
    .mutation(({ ctx, input }) => ctx.api.setCapture(input.session, input.on)),
  setServertool: call
    .input(z.object({ tool: id.nullable(), on: z.boolean().nullable() }))
    .mutation(({ ctx, input }) => ctx.api.setServertool(input.tool, input.on)),

  saveOutside: call.input(saveOutsideInput).mutation(({ ctx, input }) => ctx.api.saveOutside(input)),
  removeOutside: call.input(id).mutation(({ ctx, input }) => ctx.api.removeOutside(input)),
  testOutside: call.input(id).mutation(({ ctx, input }) => ctx.api.testOutside(input)),
}
