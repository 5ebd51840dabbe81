import type { App } from '../app/app.ts'
import type { Config } from '../app/config.ts'
import { envNameOf, flagOf } from '../app/read-config.ts'
import { toAppError } from '../kernel/error.ts'
import type { Log } from '../kernel/log.ts'
import { isForModels } from '../kernel/tool.ts'
import { chosenTools } from '../kernel/offer.ts'
import { liveViewApp } from '../surfaces/mcp/apps.ts'
import { sessionResources } from '../surfaces/mcp/live.ts'
import type { McpOptions } from '../surfaces/mcp/options.ts'
import { idSources, instructionsFor, nextSteps, prompts, toolSets } from '../operations/mcp-extras.ts'
import { crawlCancelTool, crawlStatusTool } from '../operations/crawl.ts'
import { version } from '../version.ts'
import { UsageError } from './command.ts'
import { serverIcon } from './server-icon.ts'

/** The same tools over stdio and HTTP. */
export function mcpOptions(app: App, config: Config, log: Log): McpOptions {
  return {
    tools: app.tools,
    operations: app.operations,
    invoke: app.invoke,
    newCtx: app.newCtx,
    log,
    info: { name: 'gossamer', title: 'Gossamer', version, icons: [serverIcon] },
    instructions: instructionsFor,
    nextSteps,
    only: chosenBySetting(app, config),
    schemas: config.mcpSchemas,
    jobs: { status: crawlStatusTool, cancel: crawlCancelTool },
    sets: toolSets,
    prompts,
    ids: idSources,
    limits: { maxCharacters: config.mcpMaxCharacters },
    alwaysLoad: ['scrape'],
    apps: [liveViewApp],
    // Sessions of a remote service are not known here; they can be read, but are not listed.
    ...(config.remoteUrl === undefined && sessionResources({ sessions: app.sessions, events: app.sessionEvents })),
  }
}

function chosenBySetting(app: App, config: Config): readonly string[] | undefined {
  const names = app.tools.filter(isForModels).map(({ name }) => name)
  try {
    return chosenTools(config.tools, names, toolSets)
  } catch (thrown) {
    throw new UsageError(`${flagOf('tools')} (${envNameOf('tools')}): ${toAppError(thrown).message}`)
  }
}
