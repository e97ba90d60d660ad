import type { Json } from '@stepfork/trace-format';
import type { CalledFunction } from '../plan/key.js';
import type { CallView } from '../report.js';

/** Which calls are answered from the recording, and which really run. */
export type ReplayMode = 'frozen' | 'hybrid' | 'live' | 'forbidden' | 'manual';

/** A call that somebody is to decide on. */
export interface PendingCall extends CallView {
  /** The redacted input, as JSON. */
  readonly input: Json;
}

/** `recorded`: it is answered from the recording. `live`: it really runs. `refuse`: neither; the replay diverges. */
export type Approval = 'recorded' | 'live' | 'refuse';

/** What a mode makes of a call. */
export type Ruling =
  | { readonly type: 'recorded' }
  /** `whatever`: its input need not be the recorded one. */
  | { readonly type: 'live'; readonly input: 'recorded' | 'whatever' }
  | { readonly type: 'refused'; readonly reason: string };

/** A mode with everything that it goes by. */
export type Mode =
  | { readonly type: 'frozen' | 'forbidden' }
  | { readonly type: 'hybrid'; readonly liveLlms: ReadonlySet<string> }
  | { readonly type: 'live'; readonly allowLiveTools: ReadonlySet<string> }
  | { readonly type: 'manual'; readonly approve: (call: PendingCall) => Approval };

/** `gpt-4o` and `openai/gpt-4o`: the names under which an LLM may be given in a list. */
export function namesOf({ kind, name, provider }: CalledFunction): readonly string[] {
  return kind === 'llm' && provider !== null && provider !== '' ? [`${provider}/${name}`, name] : [name];
}
