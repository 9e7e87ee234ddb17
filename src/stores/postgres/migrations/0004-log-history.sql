-- What a log says about itself: its beginnings and its keys. Found without reading all leaves.
CREATE INDEX leaf_of_log ON intentplane.leaf (seq)
  WHERE type = 'log.start' OR type = 'key.rotate' OR type = 'key.distrust';
