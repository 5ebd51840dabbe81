import type { App } from '../app/app.ts'
import type { Config } from '../app/config.ts'
import { envNameOf, flagOf } from '../app/read-config.ts'
import { toAppError } from '../kernel/error.ts'
import type { Log } from '../kernel/log.ts'
import { isForModels, isUsual, type Tool } from '../kernel/tool.ts'
import { chosenTools, type ToolSets } from '../kernel/offer.ts'
import { liveViewApp, sessionResources } from '../surfaces/mcp/live-browser.ts'
import type { McpOptions } from '../surfaces/mcp/server-options.ts'
import { idSources, instructionsFor, nextSteps, prompts, toolsByName } from '../operations/mcp-extras.ts'
import { crawlCancelTool, crawlStatusTool } from '../operations/crawl.ts'
import { version } from '../version.ts'
import { UsageError } from './command.ts'

/** The orb web of `icon.png`, small enough to be sent in each response that identifies the server. */
const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#12314a"/><path d="M16 2v28M2 16h28M6 6l20 20M6 26 26 6" stroke="#9fb8c7"/><path d="m16 10 4 2 2 4-2 4-4 2-4-2-2-4 2-4zM16 4l8 4 4 8-4 8-8 4-8-4-4-8 4-8z" fill="none" stroke="#dcf3ff"/><circle cx="24" cy="8" r="3" fill="#5cc8f2"/></svg>`

/** Icon that clients show next to the name of the server. */
const serverIcon = {
  src: `data:image/svg+xml;base64,${Buffer.from(drawing).toString('base64')}`,
  mimeType: 'image/svg+xml',
  sizes: ['any'],
}

/** Creates the options of the MCP server, which are equal over stdio and HTTP. */
export function mcpOptions(app: App, config: Config, log: Log): McpOptions {
  return {
    tools: toolsOf(app),
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
    sets: setsOf(app),
    prompts,
    ids: idSources,
    limits: { maxCharacters: config.mcpMaxCharacters },
    alwaysLoad: ['scrape', 'search'],
    continued: app.telemetry.continued,
    apps: [liveViewApp],
    // This process does not know the sessions of a remote service, so it cannot list them; reading one by its id works.
    ...(config.remoteUrl === undefined && sessionResources({ sessions: app.sessions, events: app.sessionEvents })),
  }
}

const toolsOf = ({ tools }: App): Tool[] => [...tools, ...toolsByName()]
const isRead = ({ effect }: Tool) => effect === 'read'
const namesOf = (tools: readonly Tool[]) => tools.map(({ name }) => name)

/**
 * Tool sets by name. `core` reads pages and acts on them, for clients that limit the number of tools; `research` is the
 * pair that hosts with a research mode expect.
 */
export const toolSets: ToolSets = {
  core: ['scrape', 'scrape_result', 'search', 'map', 'interact', 'browser_close'],
  research: ['search', 'fetch'],
}

function setsOf({ tools }: App) {
  const all = tools.filter(isUsual)
  return { ...toolSets, read: namesOf(all.filter(isRead)), all: namesOf(all) }
}

function chosenBySetting(app: App, config: Config): readonly string[] | undefined {
  const sets = setsOf(app)
  const known = toolsOf(app).filter((tool) => isForModels(tool) && (!config.readOnly || isRead(tool)))
  try {
    const chosen = chosenTools(config.tools, namesOf(known), sets)
    return config.tools.trim() === 'all' && !config.readOnly ? undefined : chosen
  } catch (thrown) {
    throw new UsageError(`${flagOf('tools')} (${envNameOf('tools')}): ${toAppError(thrown).message}`)
  }
}
