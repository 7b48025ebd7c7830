import type { Dataset, OpenDataset } from '../contract.ts';
import { findData } from '../files.ts';
import { openRecords } from '../open.ts';
import { readRecords } from '../records/index.ts';
import { folderOf } from '../repository/index.ts';
import { sweRecord } from './record.ts';
import { taskOfRecord } from './task.ts';
import { variants, type Variant } from './variants.ts';

/** All sets of the SWE-bench family. */
export const sweBench: readonly Dataset[] = variants.map(datasetOf);

function datasetOf(variant: Variant): Dataset {
  return { about: variant.about, open: (path) => openVariant(variant, path) };
}

async function openVariant({ about, files }: Variant, path: string): Promise<OpenDataset> {
  const file = await findData(about, path, files);
  const records = await readRecords(file, sweRecord);
  const data = await folderOf(path);
  return openRecords(
    about,
    file,
    records,
    ({ instance_id: id }) => id,
    (record) => taskOfRecord(about, data, record),
  );
}
