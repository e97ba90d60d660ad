import type { ClientRequest } from 'node:http';
import { besideOf } from './beside.js';
import { fromRecorded, isClosed } from './broken-request.js';
import type { Connection } from './connection.js';
import { giveResponse } from './give-response.js';
import { nextTurn } from './next-turn.js';

/**
 * Has a request that is not made come to what it came to in the recording.
 *
 * @param isOurs whether it is answered here, which is known with its answer
 */
export async function give(
  answer: Promise<Response>,
  request: ClientRequest,
  connection: Connection,
  isOurs: () => boolean,
): Promise<void> {
  try {
    const response = await answer;
    if (!isOurs()) return;
    connection.leadNowhere();
    await connection.opened;
    if (besideOf(response).timedOut === true) timeOut(connection);
    if (connection.destroyed) await response.body?.cancel();
    else await giveResponse(response, request, connection);
  } catch (thrown) {
    if (!isOurs()) return;
    const { error, isTimedOut } = fromRecorded(thrown as Error);
    await connection.opened;
    if (isTimedOut) timeOut(connection);
    // Node makes what it says of one that the other side closes.
    if (isClosed(error)) connection.push(null);
    else {
      // What came before is to be there first.
      await nextTurn();
      connection.destroy(error);
    }
  }
}

/** Tells the one who waits that it takes long, where no timer of its own has told so. */
function timeOut(connection: Connection): void {
  if (!connection.destroyed && !connection.isTimedOut) connection.emit('timeout');
}
