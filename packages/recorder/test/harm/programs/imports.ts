import * as recorder from '@stepfork/recorder';
import * as boundary from '@stepfork/recorder/boundary';

process.stdout.write(JSON.stringify([Object.keys(recorder), Object.keys(boundary)]));
